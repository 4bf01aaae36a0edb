using System.CommandLine;
using System.Globalization;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>ps</c>: lists the .NET processes on this machine.</summary>
internal static class PsCommand
{
    public static Command Create(Output output)
    {
        var noColor = CommonOptions.NoColor();
        var command = new Command("ps", "List the .NET processes of this machine, and whether attach works there.") { noColor };
        command.SetAction(async (parsed, _) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            var found = await OwnThread.RunAsync(DotnetProcesses.List);
            if (found.Count == 0)
            {
                throw new CommandException(ExitCode.NothingMeasured, "No .NET process was found. Those of other users need root.");
            }

            var table = new FittedTable([
                new("name"), new("pid", 0), new(".NET", 1, IsText: true), new("user", 3, IsText: true), new("attach", 2, IsText: true),
            ]);
            foreach (var (entry, process, problem) in found)
            {
                table.Add([
                    process?.Info.Name ?? "?", entry.Pid.ToString(CultureInfo.InvariantCulture), process?.Info.RuntimeVersion ?? "?",
                    UserNames.Find(entry.UserId), problem ?? State(process!),
                ]);
            }

            table.Write(output.ResultsConsole(), legend: false);
            return ExitCode.Done;
        });
        return command;
    }

    private static string State(DotnetProcess process) =>
        process.Info.Major < AttachedProcess.FirstMajor ? "no: older than .NET 8" : AttachedProcess.IsAttached(process) ? "attached" : "yes";
}
