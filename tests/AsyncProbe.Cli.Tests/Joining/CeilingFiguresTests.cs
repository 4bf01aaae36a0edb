using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Cli.Tests.Joining;

[Trait("Category", "Logic")]
public class CeilingFiguresTests
{
    [Theory]
    // One limit dominates, so both ends meet.
    [InlineData(16, 2, 0.3, 198, 79.5, 80.7)]
    [InlineData(16, 2, 20, 0, 100, 100)]
    // 18 ms of sleep and 2 ms of work on 16 threads and 2 cores: the measured ceiling, 548 to 713, is within the range.
    [InlineData(16, 2, 2, 18, 470, 801)]
    public void Ceiling_IsThreadsOverHeldOrCoresOverCpu(double threads, double cores, double cpu, double blocked, double low, double high)
    {
        var ceiling = Predict(new(threads, cores, 0), cpu, blocked, blocked)!;

        ceiling.NowLow!.Value.ShouldBe(low, low * 0.02);
        ceiling.NowHigh!.Value.ShouldBe(high, high * 0.02);
    }

    [Fact]
    public void Ceiling_IsABoundOnly_WhereHardlyAnyCpuIsLeft()
    {
        var ceiling = Predict(new(16, 2, 0), 0.3, 198, 198)!;

        ceiling.IfAsyncLow.ShouldBeNull();
        ceiling.IfAsyncHigh!.Value.ShouldBe(6667, 1);
    }

    [Fact]
    public void Ceiling_IsNotAvailable_WithoutThreadsOrCores()
    {
        Predict(new(null, 2, 0), 1, 1, 1).ShouldBeNull();
        Predict(new(4, null, 0), 1, 1, 1).ShouldBeNull();
        Predict(new(4, 2, 0), 0, 0, 0)!.Gain.ShouldBeNull();
    }

    [Fact]
    public void Times_AreDifferences_AndAMaximumIsKnownOnlyWhenItHasGrown()
    {
        new TimeSums(1000, 10, 50).Since(new(400, 4, 50), 20).ShouldBe(new TimeSums(600, 30, null));
        new TimeSums(1000, 10, 60).Since(new(400, 4, 50), 20).ShouldBe(new TimeSums(600, 30, 60));
        new TimeSums(1000, 10, 60).Since(null, 20).ShouldBe(new TimeSums(1000, 50, 60));
        new TimeSums(null, null, null).Since(null, 20).ShouldBe(new TimeSums(null, null, null));
    }

    private static CeilingFigures? Predict(CeilingLimits limits, double cpuMs, double blockedMs, double avoidableMs)
    {
        var (cpu, blocked) = (Duration.FromMilliseconds(cpuMs), Duration.FromMilliseconds(blockedMs));
        return limits.Predict(
            new HeldSplit(cpu + blocked, cpu, default, default, blocked),
            Duration.FromMilliseconds(avoidableMs)) is { } ceiling ? CeilingFigures.From(ceiling) : null;
    }
}
