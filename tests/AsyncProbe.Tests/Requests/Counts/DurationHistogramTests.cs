using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests.Counts;

public sealed class DurationHistogramTests
{
    [Fact]
    public void Percentile_IsNull_WhenNothingWasCounted() => new DurationHistogram().Percentile(0.5).ShouldBeNull();

    [Theory]
    [InlineData(1_000)]
    [InlineData(63_000)]
    [InlineData(64_000)]
    [InlineData(1_234_567)]
    [InlineData(200_400_000)]
    [InlineData(3_600_000_000_000)]
    public void Percentile_IsWithinTwoPercent_ForAnyDuration(long nanoseconds)
    {
        var histogram = new DurationHistogram();
        histogram.Add(nanoseconds.Ns());

        histogram.Percentile(0.5)!.Value.RatioTo(nanoseconds.Ns()).ShouldBe(1, 0.02);
    }

    [Fact]
    public void Percentile_StaysRight_AfterMoreRequestsThanAnIntCounts()
    {
        // 500 a second for 55 days.
        var histogram = new DurationHistogram();
        histogram.AddMany(Duration.Millisecond, times: (long)int.MaxValue + 200_000_000);
        histogram.AddMany(500 * Duration.Millisecond, times: 1_000_000);

        histogram.Percentile(0.5)!.Value.TotalMilliseconds.ShouldBe(1, 0.02);
        histogram.Percentile(0.999)!.Value.TotalMilliseconds.ShouldBe(1, 0.02);
    }

    [Fact]
    public void Percentile_FindsTheTail_WhenOneInAHundredIsSlow()
    {
        var histogram = new DurationHistogram();
        for (var i = 0; i < 990; i++)
        {
            histogram.Add(Duration.Millisecond);
        }

        for (var i = 0; i < 10; i++)
        {
            histogram.Add(500 * Duration.Millisecond);
        }

        histogram.Percentile(0.50)!.Value.TotalMilliseconds.ShouldBe(1, 0.02);
        histogram.Percentile(0.99)!.Value.TotalMilliseconds.ShouldBe(1, 0.02);
        histogram.Percentile(0.995)!.Value.TotalMilliseconds.ShouldBe(500, 10);
    }

    [Fact]
    public void Percentile_CountsEveryCore_OnceTheEndpointIsBusy()
    {
        var histogram = new DurationHistogram(cores: 2);
        for (var i = 0; i < 150_000; i++)
        {
            histogram.Add(Duration.Millisecond, core: 0);
            histogram.Add(500 * Duration.Millisecond, core: 1);
        }

        histogram.AddMany(Duration.Millisecond, times: 10);

        histogram.Percentile(0.50)!.Value.TotalMilliseconds.ShouldBe(1, 0.02);
        histogram.Percentile(0.51)!.Value.TotalMilliseconds.ShouldBe(500, 10);
        histogram.Release();
    }

    [Fact]
    public void Add_KeepsTheLastBucket_WhenTheDurationIsBeyondAllBuckets()
    {
        var histogram = new DurationHistogram();
        histogram.Add(long.MaxValue.Ns());

        histogram.Percentile(1)!.Value.ShouldBeGreaterThan(3600 * Duration.Second);
    }
}

file static class Shares
{
    public static Duration? Percentile(this DurationHistogram histogram, double share)
    {
        Span<Duration?> found = [null];
        histogram.Percentiles([share], found);
        return found[0];
    }
}
