using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Tests.Runs;

[Trait("Category", "Logic")]
public class ResultBuilderTests
{
    [Fact]
    public void Total_IsTheSumOfTheRequests()
    {
        var run = Facts.Build([Facts.Tally([10, 20, 30], refused: 1), Facts.Tally([40])]);

        run.Total.Requests.ShouldBe(5);
        run.Total.Failed.ShouldBe(1);
        run.Total.Requests.ShouldBe(run.Requests.Sum(request => request.Figures.Requests));
        run.Total.RequestsPerSecond.ShouldBe(run.Requests.Sum(request => request.Figures.RequestsPerSecond), 1e-9);
        run.Total.RequestsPerSecond.ShouldBe(0.5);
        // A fast refusal must not improve the mean: its time is kept separately.
        run.Total.TimeMs!.MeanMs.ShouldBe(25, 0.05);
        run.Total.TimeMs.Count.ShouldBe(4);
        run.Total.FailedTimeMs!.Count.ShouldBe(1);
        run.Total.StatusCodes.ShouldBe(new Dictionary<string, long> { ["none"] = 1, ["200"] = 4 }, ignoreOrder: true);
        run.Distribution.Sum(bar => bar.Count).ShouldBe(4);
    }

    [Fact]
    public void CarriedOverRequests_CountOnlyWhereNothingElseWasAnswered()
    {
        var slow = Facts.Tally([12_000]);
        slow.EndedInTime = 0;

        var shorter = Facts.Build([new Tally()], carriedOver: [slow]);
        var usual = Facts.Build([Facts.Tally([10, 10, 10])], carriedOver: [Facts.Tally([12_000])]);

        shorter.Load.ShorterThanRequests.ShouldBeTrue();
        shorter.Total.Requests.ShouldBe(1);
        shorter.Total.RequestsPerSecond.ShouldBe(1 / 12.0, 0.001);
        usual.Load.ShorterThanRequests.ShouldBeFalse();
        usual.Total.Requests.ShouldBe(3);
    }

    [Fact]
    public void Reached_IsTheClientsRate_SharedOutByTheServersCounts()
    {
        var server = Facts.Server(("GET /a", 300, 0), ("GET /b", 100, 0));

        var run = Facts.Build([Facts.Tally(Enumerable.Repeat(5d, 398))], server);

        run.Server.Endpoints.Select(row => row.ReachedPerSecond!.Value).ShouldBe([29.85, 9.95]);
        run.Server.Endpoints.Sum(row => row.ReachedPerSecond).ShouldBe(run.Total.RequestsPerSecond);
        run.Server.Findings.ShouldBeEmpty();
    }

    [Fact]
    public void Reached_LeavesOutWhatNeverReachedTheServer()
    {
        var run = Facts.Build([Facts.Tally(Enumerable.Repeat(5d, 100), refused: 900)], Facts.Server(("GET /a", 100, 0)));

        run.Total.RequestsPerSecond.ShouldBe(100);
        run.Server.Endpoints[0].ReachedPerSecond.ShouldBe(10);
    }

    [Theory]
    [InlineData(1000, true, 0, "other clients used it too", 100)]
    [InlineData(1000, true, 8000, "other clients used it too", 100)]
    [InlineData(100, true, 0, "answered by another process", 10)]
    [InlineData(100, true, 2000, "answered by another process", 10)]
    [InlineData(100, true, 8000, "came 8.0 s into", 50)]
    [InlineData(100, false, 0, "stop at its last answer", 50)]
    public void Counts_ThatDisagree_AreAFinding(long counted, bool endAnswered, double beginAfterMs, string why, double reached)
    {
        var server = Facts.Server(("GET /a", counted, 0)) with { EndAnswered = endAnswered, CountsBeginAfterMs = beginAfterMs };

        var run = Facts.Build([Facts.Tally(Enumerable.Repeat(5d, 500))], server);

        run.Server.Findings.ShouldHaveSingleItem().ShouldContain(why);
        run.Server.Endpoints[0].ReachedPerSecond.ShouldBe(reached);
    }

    [Fact]
    public void Warnings_SayWhatTheFiguresAreOf()
    {
        Facts.Build([Facts.Tally([5], refused: 9)]).Warnings.ShouldContain(
            warning => warning.Kind == RunWarningKind.MostlyFailed
                && warning.Text.Contains("9 of 10 (9 × connection refused)"));
        Facts.Build([Facts.Tally([5, 5], refused: 2)]).Warnings.ShouldBeEmpty();
        Facts.Build([Facts.Tally(Enumerable.Repeat(5d, 500))], settings: new LoadSettings { Rate = 100 }).Warnings
            .ShouldHaveSingleItem().Text.ShouldContain(" 50 of 100 ");
    }

    [Fact]
    public void Percentile_IsMarked_WithFewerThanTenSlowerOnes()
    {
        LatencyStatistics.From(Histogram(200))!.LowSamplePercentiles.ShouldBe(["p99", "p99.9"]);
        LatencyStatistics.From(Histogram(1000))!.LowSamplePercentiles.ShouldBe(["p99.9"]);
        LatencyStatistics.From(Histogram(0)).ShouldBeNull();
    }

    [Fact]
    public void Sweep_HoldsARate_WhenItIsAnsweredInTimeAndHardlyAnyFails()
    {
        var held = Rated(100, 99, 0);
        var slow = Rated(200, 150, 0);
        var failing = Rated(300, 300, 10);

        new[] { held, slow, failing }.Select(SweepResult.Holds).ShouldBe([true, false, false]);
        SweepResult.From([held, slow]).Conclusion.ShouldMatch(@"kept up with 100 .* behind at 200: 150 .* 0\.0 %");
        SweepResult.From([held]).Conclusion.ShouldContain("kept up with every rate");
        SweepResult.From([slow]).Conclusion.ShouldEndWith("the lowest rate tried.");
    }

    private static RunResult Rated(double planned, int answered, int failedPercent)
    {
        var refused = answered * 10 * failedPercent / 100;
        return Facts.Build(
            [Facts.Tally(Enumerable.Repeat(5d, (answered * 10) - refused), refused)], settings: new LoadSettings { Rate = planned });
    }

    private static Histogram Histogram(int count)
    {
        var histogram = new Histogram();
        for (var i = 1; i <= count; i++)
        {
            histogram.Record(i * 1_000_000);
        }

        return histogram;
    }
}
