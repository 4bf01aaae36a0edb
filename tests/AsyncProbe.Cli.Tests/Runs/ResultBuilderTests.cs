using System.Diagnostics;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
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

    /// <summary>With two seconds of warm-up, the answers to the first requests come after a part of the measured time.</summary>
    [Theory]
    [InlineData(0.11)]
    [InlineData(1.76)]
    [InlineData(3.01)]
    [InlineData(6.99)]
    public void Server_KeptUp_WhenItIsSlowButSteady(double seconds)
    {
        var run = Planned(rate: 20, (_, planned) => planned + seconds);

        run.Load.SettledPerSecond.ShouldBe(20);
        run.Warnings.ShouldBeEmpty();
        SweepResult.Holds(run).ShouldBeTrue();
    }

    [Fact]
    public void Server_FellBehind_WhenItsBacklogGrows()
    {
        // It answers 18 requests a second, one after the other.
        var run = Planned(rate: 20, (number, _) => (number + 1) / 18.0);

        run.Load.SettledPerSecond.ShouldBe(18);
        run.Warnings.ShouldHaveSingleItem().Kind.ShouldBe(RunWarningKind.FellBehind);
        SweepResult.Holds(run).ShouldBeFalse();
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1, 3)]
    [InlineData(1, 5)]
    [InlineData(0.3, 2)]
    public void Server_KeptUp_WhenFewRequestsArePlanned(double rate, int requests)
    {
        var run = Planned(rate, (_, planned) => planned + 0.1, requests);

        run.Load.SettledPerSecond!.Value.ShouldBe(rate, 0.001);
        SweepResult.Holds(run).ShouldBeTrue();
    }

    [Fact]
    public void Settled_IsNotKnown_WhenTheRunWasInterrupted_OrPlannedNothing()
    {
        var facts = Facts.Create([Facts.Tally([5])], new LoadSettings { Rate = 20 }) with { Interrupted = true };

        ResultBuilder.Build(facts, ServerSide.Without(ServerStatus.Off, null)).Load.SettledPerSecond.ShouldBeNull();
        Facts.Run(20).Load.SettledPerSecond.ShouldBeNull();
    }

    /// <summary>A run with two seconds of warm-up and ten measured ones.</summary>
    /// <param name="ends">When a request ends, by its number and when it is due, in seconds.</param>
    /// <param name="requests">After how many measured requests the plan ends.</param>
    private static RunResult Planned(double rate, Func<int, double, double> ends, int? requests = null)
    {
        var measured = new MeasuredTime(Ticks(2), Ticks(12)).Plan(rate, requests);
        var recorder = new Recorder(requests: 1);
        for (var (i, due) = (0, 0d); due < 12 && due < 2 + (requests / rate ?? 10); due = ++i / rate)
        {
            recorder.Record(
                new Outcome { Request = 0, Planned = Ticks(due), Sent = Ticks(due), Ended = Ticks(ends(i, due)), Status = 200 }, measured);
        }

        var (tallies, carriedOver) = (Tally.Many(1), Tally.Many(1));
        recorder.AddTo(tallies, carriedOver);
        var facts = Facts.Create(tallies, new LoadSettings { Rate = rate }, carriedOver) with { SettledTime = measured.SettledTime };
        return ResultBuilder.Build(facts, ServerSide.Without(ServerStatus.Off, null));
    }

    private static long Ticks(double seconds) => (long)(seconds * Stopwatch.Frequency);

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
