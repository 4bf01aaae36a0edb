using System.CommandLine;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>observe</c>: shows only the server's side, for one or many replicas, while something else sends the load.</summary>
internal static class ObserveCommand
{
    private const int MaxReplicas = 500;
    private const int DefaultSeconds = 10;

    public static Command Create(Output output)
    {
        var urls = new Argument<string[]>("url")
        {
            Arity = new ArgumentArity(1, MaxReplicas),
            Description = "The replicas, or their reports: http://10.0.0.1:8080 means http://10.0.0.1:8080/_threadpool.",
        };
        var seconds = NumberOption.Create(
            "--seconds", "-s", 1, SessionLimits.Seconds, $"Seconds to observe. Default: {DefaultSeconds}; with --live until q or Ctrl+C.");
        var live = new Option<bool>("--live") { Description = "Show the figures live." };
        var lifelines = new LifelinesOption();
        var insecure = new Option<bool>("--insecure", "-k") { Description = "Accept any TLS certificate." };
        var thresholds = ThresholdOption.OfServers();
        var baselineOption = new BaselineOption();
        var report = new ReportOptions();
        var command = new Command(
            "observe",
            "Observe one or more replicas while something else sends the load. Merges their endpoints and lines, and names a replica "
                + "that differs.")
        {
            urls, seconds, live, insecure, thresholds,
        };
        lifelines.AddTo(command);
        baselineOption.AddTo(command);
        report.AddTo(command, save: false);
        command.SetAction(async (parsed, interrupt) =>
        {
            var target = report.Target(parsed, output);
            var judged = thresholds.Read(parsed);
            var baseline = await baselineOption.ReadAsync(parsed, judged, interrupt);
            var isLive = parsed.GetValue(live);
            int? length = parsed.GetValue(seconds) ?? (isLive && output.IsInteractive ? null : DefaultSeconds);
            var replicas = lifelines.Pair(parsed, [.. parsed.GetRequiredValue(urls).Select(typed => Suggestion.Url(typed) ?? typed)])
                .Select(pair => ObservedReplica.FindAsync(pair.Url, pair.Lifeline, parsed.GetValue(insecure), interrupt));
            using var observer = await FleetObserver.BeginAsync(replicas);
            if (!target.Quiet)
            {
                await target.Output.Messages.WriteLineAsync(Beginning(observer.Look(), length));
            }

            var interrupted = observer.Look().Observed > 0 && await ObservedTime.WaitAsync(observer, length, isLive, output, interrupt);
            var result = await observer.EndAsync(judged, baseline, interrupted);
            return await target.FinishAsync(ResultText.From(result), ExitDecision.Decide(result));
        });
        return command;
    }

    private static string Beginning(ObservationResult first, int? seconds) =>
        $"Observing {first.Observed} of {first.Replicas.Count} replicas {(seconds is null ? "until q or Ctrl+C" : $"for {seconds} s")}";
}
