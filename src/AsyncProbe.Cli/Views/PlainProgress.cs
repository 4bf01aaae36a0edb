using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Prints one line per second, for logs and pipes.</summary>
internal sealed class PlainProgress(TextWriter writer) : RunObserver
{
    public override void WaitForReport(Uri report, TimeSpan longest) => writer.WriteLine(ServerText.Wait(report, longest));

    public override void Begin(PreparedSession session, TimeSpan warmup) =>
        writer.WriteLine($"{session.Name}: {LoadText.Plan(session.Settings)}");

    public override void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server)
    {
        var phase = second.WarmingUp ? "warm-up" : "";
        var pool = server is null ? "" : string.Create(CultureInfo.InvariantCulture,
            $"   pool {FigureText.Whole(server.Pool.Threads)} threads, queue delay {FigureText.Ms(server.Pool.QueueDelayMs)} ms{Silence(server)}");
        writer.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{second.At,6:0.0} s  {FigureText.Rate(second.RequestsPerSecond),8}/s  p50 {FigureText.Ms(second.P50Ms),7}  "
                + $"p95 {FigureText.Ms(second.P95Ms),7}  p99 {FigureText.Ms(second.P99Ms),7} ms  failed {soFar.Failed,5}{pool}  {phase}")
                .TrimEnd());
    }

    private static string Silence(ServerSnapshot server)
    {
        var age = System.Diagnostics.Stopwatch.GetElapsedTime(server.ReceivedAt).TotalSeconds;
        return age < 2.5 ? "" : string.Create(CultureInfo.InvariantCulture, $" ({age:0} s ago: no answer since)");
    }
}
