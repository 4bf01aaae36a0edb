using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Tests.Statistics;

[Trait("Category", "Logic")]
public class StatisticsTests
{
    [Theory]
    [InlineData(5, "5 s")]
    [InlineData(61, "1 min 1 s")]
    [InlineData(4585, "1 h 16 min")]
    [InlineData(266_400, "3 d 2 h")]
    public void Duration_HasItsTwoLargestUnits(int seconds, string text) =>
        FigureText.Duration(TimeSpan.FromSeconds(seconds)).ShouldBe(text);

    [Fact]
    public void Median_IsTheMiddle_OfWhatIsAvailable()
    {
        Median.Calculate([]).ShouldBeNull();
        Median.Calculate([null, null]).ShouldBeNull();
        Median.Calculate([5, null]).ShouldBe(5);
        Median.Calculate([9, 1, 5]).ShouldBe(5);
        Median.Calculate([9, 1, 5, 2]).ShouldBe(3.5);
    }

    [Fact]
    public void Latencies_AreInMilliseconds_WithThreePlaces()
    {
        var times = LatencyStatistics.From(Record([1, 2, 3, 4, 5]))!;

        (times.Count, times.MinMs, times.MeanMs, times.MaxMs).ShouldBe((5, 1, 3, 5));
        times.StandardDeviationMs.ShouldBe(1.581);
        times.P50Ms.ShouldBe(3, 0.01);
        times.P90Ms.ShouldBe(5);
        times.P75Ms.ShouldBe(4, 0.01);
        (times.P95Ms, times.P99Ms, times.P999Ms).ShouldBe((5, 5, 5));
        LatencyStatistics.From(new Histogram()).ShouldBeNull();
    }

    [Theory]
    [InlineData(19, 50, true)]
    [InlineData(20, 50, false)]
    [InlineData(199, 95, true)]
    [InlineData(200, 95, false)]
    [InlineData(9_999, 99.9, true)]
    [InlineData(10_000, 99.9, false)]
    public void Percentile_HasALowSample_WithFewerThanTenSlowerOnes(int count, double percent, bool low)
    {
        var times = LatencyStatistics.From(Record(Enumerable.Repeat(5d, count)))!;

        times.IsLowSample(percent).ShouldBe(low);
        times.LowSamplePercentiles.Contains(PercentileName.Format(percent)).ShouldBe(low);
        FigureText.Percentile(times, percent).ShouldBe(low ? "5.00*" : "5.00");
    }

    [Fact]
    public void Distribution_HoldsEveryValueOnce()
    {
        var bars = DistributionBar.From(Record([1, 1, 2, 8, 64, 512]));

        bars.Count.ShouldBe(40);
        bars.Sum(bar => bar.Count).ShouldBe(6);
        bars[0].ShouldSatisfyAllConditions(bar => bar.FromMs.ShouldBe(1), bar => bar.Count.ShouldBe(2));
        bars[^1].ToMs.ShouldBe(512);
        bars.Zip(bars.Skip(1)).ShouldAllBe(pair => pair.First.ToMs == pair.Second.FromMs && pair.First.FromMs < pair.First.ToMs);
        DistributionBar.From(new Histogram()).ShouldBeEmpty();
        // A single value has no range, but its bars still have a width.
        DistributionBar.From(Record([10]))[^1].ToMs.ShouldBe(12);
    }

    [Fact]
    public void Sparkline_ReachesTheTop_AtTheHighestValue()
    {
        Sparkline.Draw([]).ShouldBe("");
        Sparkline.Draw([0, 0]).ShouldBe("");
        Sparkline.Draw([0, 50, 100]).ShouldBe("▁▄█");
        Sparkline.Draw([-5, 7]).ShouldBe("▁█");
    }

    [Theory]
    [InlineData(null, "n/a")]
    [InlineData(0.0, "0.00")]
    [InlineData(9.994, "9.99")]
    [InlineData(10.0, "10.0")]
    [InlineData(99.94, "99.9")]
    [InlineData(100.0, "100")]
    [InlineData(12345.6, "12,346")]
    public void Milliseconds_HaveThreePlacesThatCount(double? ms, string text) => FigureText.Ms(ms).ShouldBe(text);

    [Theory]
    [InlineData(null, "n/a")]
    [InlineData(99.94, "99.9")]
    [InlineData(100.0, "100")]
    [InlineData(1234.5, "1,234")]
    public void Rate_IsWhole_FromAHundredOn(double? rate, string text) => FigureText.Rate(rate).ShouldBe(text);

    [Theory]
    [InlineData(0.0, "0 %")]
    [InlineData(0.0009, "<0.1 %")]
    [InlineData(0.001, "0.1 %")]
    [InlineData(0.5, "50.0 %")]
    public void Percent_IsNeverZero_WhenThereIsSome(double share, string text) => FigureText.Percent(share).ShouldBe(text);

    [Theory]
    [InlineData(9_999, "9,999 bytes")]
    [InlineData(10_000, "10 kB")]
    [InlineData(1_499_999, "1499 kB")]
    [InlineData(1_500_000, "1.5 MB")]
    [InlineData(999_999_999, "1000.0 MB")]
    [InlineData(1_000_000_000, "1.0 GB")]
    public void Bytes_HaveAUnit(long bytes, string text) => FigureText.Bytes(bytes).ShouldBe(text);

    [Theory]
    [InlineData(0, "×0")]
    [InlineData(0.0005, "÷>1,000")]
    [InlineData(0.001, "÷1,000")]
    [InlineData(0.05, "÷20")]
    [InlineData(0.1, "×0.10")]
    [InlineData(9.99, "×9.99")]
    [InlineData(10, "×10")]
    [InlineData(2500, "×2,500")]
    public void Ratio_IsADivision_BelowATenth(double ratio, string text) => FigureText.Times(ratio).ShouldBe(text);

    [Theory]
    [InlineData(0, "0 threads")]
    [InlineData(1, "1 thread")]
    [InlineData(1000, "1,000 threads")]
    public void Count_HasItsNoun(long count, string text) => FigureText.Count(count, "thread").ShouldBe(text);

    [Theory]
    [InlineData(null, null, "n/a")]
    [InlineData(70.0, 80.0, "70.0–80.0")]
    [InlineData(70.01, 70.04, "70.0")]
    [InlineData(70.0, null, "70.0")]
    [InlineData(70.04, 70.0, "70.0")]
    [InlineData(null, 1234.0, "≤1,234")]
    public void Range_SaysWhatIsAnUpperBound(double? low, double? high, string text) => FigureText.Range(low, high).ShouldBe(text);

    private static Histogram Record(IEnumerable<double> ms)
    {
        var histogram = new Histogram();
        foreach (var value in ms)
        {
            histogram.Record((long)(value * 1e6));
        }

        return histogram;
    }
}
