using System.CommandLine;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>report</c>: the server's present state once, as text.</summary>
internal static class ReportCommand
{
    /// <summary>Long, because a starved server answers late, and that answer is the one its operator needs.</summary>
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(20);

    public static Command Create(Output output)
    {
        var options = new TargetOptions();
        var noColor = CommonOptions.NoColor();
        var command = new Command("report", "Print the server's present state once, as text.") { noColor };
        options.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            using var source = options.Source(parsed, AnswerTimeout);
            var answer = await source.ReadAsync(interrupt);
            if (answer.Snapshot is not { } snapshot)
            {
                throw new CommandException(ExitCode.NothingMeasured, answer.Sentence);
            }

            var console = output.ResultsConsole();
            console.Line(answer.Sentence);
            StateReport.Write(snapshot, console);
            return ExitCode.Done;
        });
        return command;
    }
}
