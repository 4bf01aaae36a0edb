using System.CommandLine;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>detach</c>: ends a probe that was attached with <c>--keep</c>.</summary>
internal static class DetachCommand
{
    public static Command Create(Output output)
    {
        var process = new ProcessArgument();
        var command = new Command("detach", "Stop the probe that attach --keep left in a process.");
        process.AddTo(command);
        command.SetAction(async (parsed, _) =>
        {
            var found = await process.FindAsync(parsed);
            if (!await DedicatedThread.RunAsync(() => AttachedProcess.TryDetach(found)))
            {
                throw new CommandException(ExitCode.NothingMeasured, $"Nothing is attached to {found.Title}.");
            }

            await output.Messages.WriteLineAsync($"Detached from {found.Title}.");
            return ExitCode.Done;
        });
        return command;
    }
}
