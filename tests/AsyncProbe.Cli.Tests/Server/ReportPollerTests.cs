using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Server;

[SideBySide]
public class ReportPollerTests
{
    private const long WarmupEnds = 100;

    // All times are in seconds; the counts begin with the chosen answer.
    [Theory]
    [InlineData(95, 99.5, 100.05, 100.05, 0.05)]
    [InlineData(95, 99.99, 100.05, 100.05, 0.05)]
    [InlineData(95, 99, 100.9, 100.9, 0.9)]
    [InlineData(95, 99, 101.0, 101, 1)]
    [InlineData(95, 99, 101.1, 99, -1)]
    [InlineData(95, 99, 103.4, 99, -1)]
    [InlineData(95, 99, null, 99, -1)]

    // Asked before the end of the warm-up, answered after it.
    [InlineData(95, 100.5, 100.6, 100.5, 0.5)]
    [InlineData(95, 100.02, 100.08, 100.08, 0.08)]

    // Nothing of the run was counted between this answer and the beginning of the load.
    [InlineData(95, 60, 106.0, 60, -5)]
    [InlineData(100, 60, 100.05, 60, 0)]
    public void Counts_BeginWithTheNearerAnswer(double loadBegan, double previous, double? next, double chosen, double offset)
    {
        var (begin, shift) = ReportPoller.NearerTo(
            WarmupEnds * Stopwatch.Frequency, (long)(loadBegan * Stopwatch.Frequency), At(previous), next is { } at ? At(at) : null);

        begin.ReceivedAt.ShouldBe(At(chosen).ReceivedAt);
        shift.TotalSeconds.ShouldBe(offset, tolerance: 1e-6);
    }

    private static ServerSnapshot At(double seconds)
    {
        using var json = JsonDocument.Parse("""{ "schema": 1, "pool": {}, "endpoints": [], "sites": [] }""");
        return ServerSnapshot.Read(json.RootElement, (long)(seconds * Stopwatch.Frequency))!;
    }
}
