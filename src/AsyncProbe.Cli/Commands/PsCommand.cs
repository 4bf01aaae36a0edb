using System.CommandLine;
using System.Globalization;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>ps</c>: lists the .NET processes on this machine.</summary>
internal static class PsCommand
{
    public static Command Create(Output output)
    {
        var noColor = CommonOptions.NoColor();
        var command = new Command("ps", "List the .NET processes on this machine, and whether you can attach to them.") { noColor };
        command.SetAction(async (parsed, _) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            var found = await DedicatedThread.RunAsync(DotnetProcesses.List);
            if (found.Count == 0)
            {
                throw new CommandException(ExitCode.NothingMeasured, "No .NET process was found. Those of other users need root.");
            }

            var ofSdk = found.Select(one => one.Process).OfType<DotnetProcess>().Where(DotnetProcesses.IsOfSdk).ToList();
            var console = output.ResultsConsole();
            Write([.. found.Where(one => one.Process is null || !ofSdk.Contains(one.Process))], console);
            WriteSdk(ofSdk, console);
            return ExitCode.Done;
        });
        return command;
    }

    private static void Write(IReadOnlyList<(ProcessEntry Entry, DotnetProcess? Process, string? Problem)> found, IAnsiConsole console)
    {
        if (found.Count == 0)
        {
            console.Line("No .NET application runs here. Those of other users need root.");
            return;
        }

        var table = new FittedTable([
            new("name"), new("pid", 0), new(".NET", 1, IsText: true), new("user", 3, IsText: true), new("attach", 2, IsText: true),
        ]);
        foreach (var (entry, process, problem) in found)
        {
            table.Add([
                process?.Info.Name ?? "?", Pid(entry.Pid), process?.Info.RuntimeVersion ?? "?", UserNames.Find(entry.UserId),
                problem ?? State(process!),
            ]);
        }

        table.Write(console, legend: false);
    }

    private static void WriteSdk(List<DotnetProcess> processes, IAnsiConsole console)
    {
        if (processes.Count > 0)
        {
            var names = processes.GroupBy(process => process.Info.Name).OrderBy(name => name.Key, StringComparer.OrdinalIgnoreCase)
                .Select(name => $"{name.Key} ({string.Join(", ", name.Select(process => Pid(process.Pid)))})");
            console.Line($"The .NET SDK's own processes: {string.Join(", ", names)}", new Style(decoration: Decoration.Dim));
        }
    }

    private static string Pid(int pid) => pid.ToString(CultureInfo.InvariantCulture);

    private static string State(DotnetProcess process) =>
        process.Info.Major < Injection.FirstMajor ? "no: older than .NET 8" : AttachedProcess.IsAttached(process) ? "attached" : "yes";
}
