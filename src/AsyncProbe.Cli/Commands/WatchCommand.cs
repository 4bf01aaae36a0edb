using System.CommandLine;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>watch</c>: a live view of <c>/_threadpool</c>, or of the lifeline while the pool is starved.</summary>
internal static class WatchCommand
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    public static Command Create(Output output)
    {
        var options = new TargetOptions();
        var times = NumberOption.Create("--times", null, 1, int.MaxValue, "Stop after N updates.");
        var noColor = CommonOptions.NoColor();
        var command = new Command("watch", "Watch /_threadpool live, and the lifeline while the pool has no free thread.")
        {
            times, noColor,
        };
        options.AddTo(command);
        command.SetAction((parsed, interrupt) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            return WatchAsync(options.Report(parsed), parsed.GetValue(times) ?? int.MaxValue, output, interrupt);
        });
        return command;
    }

    private static async Task<int> WatchAsync(ServerReport report, int times, Output output, CancellationToken interrupt)
    {
        using var owned = report;
        using var quit = CancellationTokenSource.CreateLinkedTokenSource(interrupt);
        var answered = false;
        for (var look = 0; look < times && !quit.IsCancellationRequested; look++)
        {
            var answer = await report.ReadAsync(AnswerTimeout, quit.Token);
            answered |= answer.Snapshot is not null;
            if (answer.Status == ServerStatus.Untrusted && !answered)
            {
                throw new CommandException(ExitCode.NothingMeasured, answer.Sentence);
            }

            if (!quit.IsCancellationRequested)
            {
                Show(output, answer);
            }

            if (look < times - 1)
            {
                await PauseAsync(output, quit);
            }
        }

        if (IsScreen(output))
        {
            FullScreen.End(output.ResultsConsole());
        }

        return answered ? ExitCode.Done : ExitCode.NothingMeasured;
    }

    // The screen is what the command prints to stdout, and not a view next to it.
    private static bool IsScreen(Output output) => output.IsInteractive && output.ResultsAreTerminal;

    private static void Show(Output output, ServerAnswer answer)
    {
        var (snapshot, _, fromLifeline, sentence) = answer;
        var console = output.ResultsConsole();
        if (IsScreen(output))
        {
            using var text = new StringWriter();
            WatchScreen.Show(console, output.PageConsole(text, console), text, sentence, snapshot);
        }
        else
        {
            console.Line(
                snapshot is null
                    ? sentence
                    : $"{DateTimeOffset.UtcNow:HH:mm:ss}  {PoolText.Describe(snapshot)}{(fromLifeline ? "   " + sentence : "")}");
        }
    }

    private static async Task PauseAsync(Output output, CancellationTokenSource quit)
    {
        var until = DateTime.UtcNow + Interval;
        while (DateTime.UtcNow < until && !quit.IsCancellationRequested)
        {
            if (output.IsInteractive && Console.KeyAvailable && char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar) == 'q')
            {
                await quit.CancelAsync();
            }

            await Task.Delay(100, quit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
