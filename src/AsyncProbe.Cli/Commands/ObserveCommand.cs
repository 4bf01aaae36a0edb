using System.CommandLine;
using System.Diagnostics;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>observe</c>: the server's half alone, over one or many replicas, while something else sends the load.</summary>
internal static class ObserveCommand
{
    private const int MaxReplicas = 500;
    private const int DefaultSeconds = 10;

    /// <summary>How often a key is looked for.</summary>
    private static readonly TimeSpan s_keyInterval = TimeSpan.FromMilliseconds(100);

    public static Command Create(Output output)
    {
        var urls = new Argument<string[]>("url")
        {
            Arity = new ArgumentArity(1, MaxReplicas),
            Description = "The replicas, or their reports: http://10.0.0.1:8080 means http://10.0.0.1:8080/_threadpool.",
        };
        var seconds = NumberOption.Create(
            "--seconds", "-s", 1, SessionLimits.Seconds, $"Seconds to observe. Default: {DefaultSeconds}; with --live until q or Ctrl+C.");
        var live = new Option<bool>("--live") { Description = "Show the figures while they grow." };
        var lifelines = new LifelinesOption();
        var insecure = new Option<bool>("--insecure", "-k") { Description = "Accept any TLS certificate." };
        var thresholds = new Option<string[]>("--threshold")
        {
            HelpName = "EXPR",
            Description = "Repeatable; server metrics over all replicas: 'blocked.avg<5' 'name[GET /orders]:held.avg<50' "
                + "'pool.queuedelay.max<100'. Exit code 99 when one does not hold.",
        };
        var baselineOption = new BaselineOption();
        var report = new ReportOptions();
        var command = new Command(
            "observe",
            "Observe one or many replicas while something else sends the load: endpoints and lines merged, the odd replica named.")
        {
            urls, seconds, live, insecure, thresholds,
        };
        lifelines.AddTo(command);
        baselineOption.AddTo(command);
        report.AddTo(command, save: false);
        command.SetAction(async (parsed, interrupt) =>
        {
            var target = report.Target(parsed, output);
            var judged = ObserveThresholds.Parse(parsed.GetValue(thresholds) ?? []);
            var baseline = await baselineOption.ReadAsync(parsed, judged, interrupt);
            var isLive = parsed.GetValue(live);
            int? length = parsed.GetValue(seconds) ?? (isLive && output.IsInteractive ? null : DefaultSeconds);
            var replicas = lifelines.Pair(parsed, parsed.GetRequiredValue(urls))
                .Select(pair => ObservedReplica.Create(pair.Url, pair.Lifeline, parsed.GetValue(insecure), Suggestion.Url)).ToList();
            using var observer = await FleetObserver.BeginAsync(replicas, interrupt);
            if (!target.Quiet)
            {
                await target.Output.Messages.WriteLineAsync(Beginning(observer.Look(), length));
            }

            var interrupted = observer.Look().Observed > 0 && await WaitAsync(observer, length, isLive, output, interrupt);
            if (isLive && output.IsInteractive)
            {
                FullScreen.End(output.MessagesConsole());
            }

            var result = await observer.EndAsync(judged, baseline, interrupted);
            await target.WriteAsync(result);
            return await ExitDecision.ExplainAsync(result, output.Messages);
        });
        return command;
    }

    private static string Beginning(ObservationResult first, int? seconds) =>
        $"Observing {first.Observed} of {first.Replicas.Count} replicas {(seconds is null ? "until q or Ctrl+C" : $"for {seconds} s")}";

    /// <returns>Whether somebody ended it early; to press q in a live view is no interruption.</returns>
    private static async Task<bool> WaitAsync(FleetObserver observer, int? seconds, bool live, Output output, CancellationToken interrupt)
    {
        var end = seconds is { } length ? Stopwatch.GetTimestamp() + (length * Stopwatch.Frequency) : long.MaxValue;
        var next = Stopwatch.GetTimestamp() + Stopwatch.Frequency;
        while (Stopwatch.GetTimestamp() is var now && now < end)
        {
            if (interrupt.IsCancellationRequested)
            {
                return seconds is not null;
            }

            if (live && output.IsInteractive && Console.KeyAvailable
                && char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar) == 'q')
            {
                return false;
            }

            if (live && now >= next)
            {
                next = now + Stopwatch.Frequency;
                await ObserveScreen.ShowAsync(output, observer.Look());
            }

            // Never negative: Task.Delay would throw, or wait for ever.
            var left = Stopwatch.GetElapsedTime(now, end);
            await Task.Delay(left < s_keyInterval ? left : s_keyInterval, interrupt).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return false;
    }
}
