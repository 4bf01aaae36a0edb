using AsyncProbe.Cli.Statistics;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Statistics;

[Trait("Category", "Logic")]
public class HistogramTests
{
    [Fact]
    public void Percentile_IsOffByAtMostATenthOfAPercent_WhateverTheValues()
    {
        var values = Gen.NonEmptyListOf(
            Gen.Choose(1, 1_000_000).SelectMany(mantissa => Gen.Choose(0, 40).Select(shift => (long)mantissa << shift)));
        var property = Prop.ForAll(Arb.From(values), list =>
        {
            var histogram = new Histogram();
            foreach (var value in list)
            {
                histogram.Record(value);
            }

            var sorted = list.Order().ToArray();
            foreach (var percent in new[] { 1, 25, 50, 90, 99, 99.9, 100 })
            {
                var exact = sorted[Math.Max(1, (int)Math.Ceiling(percent / 100 * sorted.Length)) - 1];
                Math.Abs(histogram.Percentile(percent) - exact).ShouldBeLessThanOrEqualTo((long)(exact * 0.001), $"p{percent} of {exact}");
            }

            (histogram.Min, histogram.Max, histogram.Count).ShouldBe((sorted[0], sorted[^1], sorted.Length));
        });

        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300), property);
    }

    [Fact]
    public void Merge_GivesTheSame_AsRecordingEverythingInOne()
    {
        var random = new Random(7);
        var (one, left, right) = (new Histogram(), new Histogram(), new Histogram());
        for (var i = 0; i < 10_000; i++)
        {
            var value = random.NextInt64(1, 1_000_000_000);
            one.Record(value);
            (i % 3 == 0 ? left : right).Record(value);
        }

        left.Add(right);

        left.Count.ShouldBe(one.Count);
        left.Mean.ShouldBe(one.Mean, tolerance: 1);
        left.StandardDeviation.ShouldBe(one.StandardDeviation, tolerance: one.StandardDeviation * 1e-9);
        left.Percentile(99).ShouldBe(one.Percentile(99));
        left.CountBetween([1, 1000, 1_000_000]).Sum().ShouldBe(10_000);
    }
}
