using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Tests.Requests.Endpoints;

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
        histogram.Add(nanoseconds);

        ((double)histogram.Percentile(0.5)!.Value).ShouldBe(nanoseconds, nanoseconds * 0.02);
    }

    [Fact]
    public void Percentile_StaysRight_AfterMoreRequestsThanAnIntCounts()
    {
        // 500 a second for 55 days.
        var histogram = new DurationHistogram();
        histogram.Add(1_000_000, times: (long)int.MaxValue + 200_000_000);
        histogram.Add(500_000_000, times: 1_000_000);

        ((double)histogram.Percentile(0.5)!.Value).ShouldBe(1_000_000, 20_000);
        ((double)histogram.Percentile(0.999)!.Value).ShouldBe(1_000_000, 20_000);
    }

    [Fact]
    public void Percentile_FindsTheTail_WhenOneInAHundredIsSlow()
    {
        var histogram = new DurationHistogram();
        for (var i = 0; i < 990; i++)
        {
            histogram.Add(1_000_000);
        }

        for (var i = 0; i < 10; i++)
        {
            histogram.Add(500_000_000);
        }

        ((double)histogram.Percentile(0.50)!.Value).ShouldBe(1_000_000, 20_000);
        ((double)histogram.Percentile(0.99)!.Value).ShouldBe(1_000_000, 20_000);
        ((double)histogram.Percentile(0.995)!.Value).ShouldBe(500_000_000, 10_000_000);
    }

    [Fact]
    public void Add_KeepsTheLastBucket_WhenTheDurationIsBeyondAllBuckets()
    {
        var histogram = new DurationHistogram();
        histogram.Add(long.MaxValue);

        histogram.Percentile(1)!.Value.ShouldBeGreaterThan(3_600_000_000_000);
    }
}
