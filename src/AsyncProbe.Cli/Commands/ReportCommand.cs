using System.CommandLine;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>report</c>: the present state once, as text, for the person at three in the morning.</summary>
internal static class ReportCommand
{
    /// <summary>A starved server answers late; a late answer is what its operator came for.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public static Command Create(Output output)
    {
        var options = new TargetOptions();
        var noColor = CommonOptions.NoColor();
        var command = new Command("report", "Print the server's present state once, as text.") { noColor };
        options.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            using var source = options.Source(parsed, Patience);
            var (snapshot, where) = await source.AskAsync(interrupt);
            if (snapshot is null)
            {
                throw new CommandException(ExitCode.NothingMeasured, where);
            }

            var console = output.ResultsConsole();
            console.Line(where);
            StateReport.Write(snapshot, console);
            return ExitCode.Done;
        });
        return command;
    }
}
