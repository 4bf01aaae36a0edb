using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Tests.Sites;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Thresholds;

[Trait("Category", "Logic")]
public class ThresholdMetricsTests
{
    private static readonly RunResult s_run = Facts.Run(40, server: Facts.Server(("GET /a", 300, 10), ("GET /b", 100, 50)) with
    {
        PoolThreadsMax = 11, QueueDelayMaxMs = 12, PendingMax = 13, BlockedThreadsMax = 14,
    }) with
    {
        Unanswered = 3,
        Total = new Figures
        {
            Requests = 100, Failed = 4, RequestsPerSecond = 10, LateStarts = 5,
            TimeMs = new LatencyStatistics
            {
                Count = 96, MinMs = 1, MeanMs = 2, P50Ms = 50, P75Ms = 75, P90Ms = 90, P95Ms = 95, P99Ms = 99, P999Ms = 999, MaxMs = 1000,
                StandardDeviationMs = 7,
                LowSamplePercentiles = [],
            },
            FromSendMs = new LatencyStatistics
            {
                Count = 2000, MinMs = 1, MeanMs = 3, P50Ms = 51, P75Ms = 76, P90Ms = 91, P95Ms = 96, P99Ms = 100, P999Ms = 1000,
                MaxMs = 1001, StandardDeviationMs = 8,
                LowSamplePercentiles = [],
            },
        },
    };

    [Theory]
    [InlineData("min", 1.0)]
    [InlineData("avg", 2.0)]
    [InlineData("med", 50.0)]
    [InlineData("max", 1000.0)]
    [InlineData("dev", 7.0)]
    [InlineData("p(50)", 50.0)]
    [InlineData("p(75)", 75.0)]
    [InlineData("p(90)", 90.0)]
    [InlineData("p(95)", 95.0)]
    [InlineData("p(99)", 99.0)]
    [InlineData("p(99.9)", 999.0)]
    [InlineData("p(42)", null)]
    [InlineData("fromsend.p(95)", 96.0)]
    [InlineData("fromsend.avg", 3.0)]
    [InlineData("fromsend.max", 1001.0)]
    [InlineData("rps", 10.0)]
    [InlineData("requests", 100.0)]
    [InlineData("failed.count", 4.0)]
    [InlineData("failed.rate", 0.04)]
    [InlineData("late.count", 5.0)]
    [InlineData("late.rate", 0.05)]
    [InlineData("unanswered", 3.0)]
    [InlineData("pool.threads.max", 11.0)]
    [InlineData("pool.queuedelay.max", 12.0)]
    [InlineData("pool.pending.max", 13.0)]
    [InlineData("pool.blockedthreads.max", 14.0)]
    [InlineData("held.avg", 22.0)]
    [InlineData("cpu.total", 800.0)]
    [InlineData("blocked.avg", 20.0)]
    [InlineData("gc.avg", 0.0)]
    [InlineData("blocked.max", null)]
    public void Metric_IsItsFigure(string metric, double? value) =>
        ThresholdMetrics.Value(s_run, ThresholdParser.Parse(metric + "<1")).ShouldBe(value);

    [Theory]
    [InlineData("sites.new==0", 2.0)]
    [InlineData("name[get /b]:sites.new==0", 1.0)]
    [InlineData("name[GET /c]:sites.new==0", 0.0)]
    public void NewSites_AreCountedOnce_OverAllServers(string threshold, double count)
    {
        var (a, b) = (Known.Site("A.Get", endpoints: ["GET /a"]), Known.Site("B.Get", endpoints: ["GET /a", "GET /b"]));

        ThresholdMetrics.Value(
            [s_run.Server with { NewSites = [a] }, s_run.Server with { NewSites = [a, b] }],
            ThresholdParser.Parse(threshold)).ShouldBe(count);
    }

    [Fact]
    public void NewSites_AreNotAvailable_WhereOneServerDidNotSay() =>
        ThresholdMetrics.Value([s_run.Server with { NewSites = [] }, s_run.Server], ThresholdParser.Parse("sites.new==0")).ShouldBeNull();

    [Fact]
    public void NewSites_AreNotAvailable_WithoutAServer() =>
        ThresholdMetrics.Value([], ThresholdParser.Parse("sites.new==0")).ShouldBeNull();

    [Fact]
    public void Metric_OfSeveralServers_IsTheWorstOfTheirPools_AndTheHighestOfTheirRequests()
    {
        var servers = new[] { s_run.Server with { PoolThreadsMax = 7 }, s_run.Server, s_run.Server with { PoolThreadsMax = 3 } };
        var rows = new[] { 30.0, 90, 20 }.Select(
            max => s_run.Server with { Endpoints = [s_run.Server.Endpoints[0] with { BlockedMs = new(100, 1, max) }] }).ToArray();

        ThresholdMetrics.Value(servers, ThresholdParser.Parse("pool.threads.max<1")).ShouldBe(11);
        ThresholdMetrics.Value(rows, ThresholdParser.Parse("blocked.max<1")).ShouldBe(90);
        ThresholdMetrics.Value(rows, ThresholdParser.Parse("name[get /A]:blocked.total<1")).ShouldBe(300);
        ThresholdMetrics.Value(rows, ThresholdParser.Parse("name[GET /b]:blocked.total<1")).ShouldBeNull();
    }

    [Fact]
    public void Metric_OfANamedRequest_IsItsOwn()
    {
        var run = Facts.Build([Facts.Tally([10]), Facts.Tally([20, 20])]);

        ThresholdMetrics.Value(run, ThresholdParser.Parse($"name[{run.Requests[1].Name.ToUpperInvariant()}]:requests<1")).ShouldBe(2);
        ThresholdMetrics.Value(run, ThresholdParser.Parse("requests<1")).ShouldBe(3);
        ThresholdMetrics.Value(run, ThresholdParser.Parse("name[nobody]:requests<1")).ShouldBeNull();
        ThresholdMetrics.Note(run, ThresholdParser.Parse("name[nobody]:p(95)<1")).ShouldBeNull();
    }

    [Fact]
    public void Mean_IsNotAvailable_WhereNoRequestEnded()
    {
        var server = s_run.Server with { Endpoints = [s_run.Server.Endpoints[0] with { Requests = 0 }] };

        ThresholdMetrics.Value([server], ThresholdParser.Parse("held.avg<1")).ShouldBeNull();
    }

    [Theory]
    [InlineData("name[GET /b]:blocked.avg<1", true)]
    [InlineData("name[GET /c]:blocked.avg<1", false)]
    public void Endpoint_IsThere_WhenAnyRowHasItsName(string threshold, bool isThere) =>
        ThresholdMetrics.HasNamed(s_run, ThresholdParser.Parse(threshold)).ShouldBe(isThere);

    [Fact]
    public void Percentile_IsReadFromTheDistribution_WhereThereIsOne() =>
        ThresholdMetrics.Value(Facts.Run(40), ThresholdParser.Parse("p(42)<1")).ShouldNotBeNull().ShouldBe(20, 0.2);

    [Fact]
    public void Metric_IsNotAvailable_WhenNothingWasMeasured()
    {
        var nothing = Facts.Build([new()]);
        string[] counted = ["rps", "requests", "failed.count", "failed.rate", "late.count", "late.rate", "min", "p(50)", "fromsend.avg"];

        counted.ShouldAllBe(metric => ThresholdMetrics.Value(nothing, ThresholdParser.Parse(metric + "<1")) == null);
    }

    [Theory]
    [InlineData("p(95)<1", "fewer than ten requests were slower")]
    [InlineData("p(50)<1", null)]
    [InlineData("max<1", null)]
    [InlineData("fromsend.p(95)<1", null)]
    [InlineData("fromsend.p(99.9)<1", "fewer than ten requests were slower")]
    public void Note_SaysWhatRestsOnTooLittle(string threshold, string? note) =>
        ThresholdMetrics.Note(s_run, ThresholdParser.Parse(threshold)).ShouldBe(note);

    [Fact]
    public void Note_SaysWhatTheServersFiguresAreOf()
    {
        var threshold = ThresholdParser.Parse("blocked.avg<1");

        Note(server => server).ShouldBeNull();
        Note(server => server with { CountsHoldWarmup = true }).ShouldBe("the warm-up included");
        Note(server => server with { CountsBeginAfterMs = 1100 }).ShouldBe("without the first 1.1 s");
        Note(server => server with { CountsBeginAfterMs = 20 }).ShouldBeNull();
        Note(server => server with { EndAnswered = false, CountsHoldWarmup = true }).ShouldBe("until the server's last answer");
        Note(server => server with { Status = ServerStatus.Off, CountsHoldWarmup = true }).ShouldBeNull();

        string? Note(Func<ServerSide, ServerSide> change) => ThresholdMetrics.Note(s_run with { Server = change(s_run.Server) }, threshold);
    }

    [Theory]
    [InlineData("<", false, false, true)]
    [InlineData("<=", false, true, true)]
    [InlineData(">", true, false, false)]
    [InlineData(">=", true, true, false)]
    [InlineData("==", false, true, false)]
    [InlineData("!=", true, false, true)]
    public void Operator_Compares(string comparison, bool above, bool equal, bool below)
    {
        var threshold = ThresholdParser.Parse($"max{comparison}5");

        (threshold.Holds(5.1), threshold.Holds(5), threshold.Holds(4.9)).ShouldBe((above, equal, below));
    }

    [Theory]
    [InlineData("failed.rate<1", true, false)]
    [InlineData("failed.count<1", true, false)]
    [InlineData("max<1", false, false)]
    [InlineData("held.avg<1", false, true)]
    [InlineData("pool.threads.max<1", false, true)]
    public void Threshold_KnowsWhatItIsAbout(string text, bool failures, bool server)
    {
        var threshold = ThresholdParser.Parse(text);
        var result = ThresholdJudge.Judge(Facts.Run(40), [threshold]).Thresholds.Single();

        (threshold.IsAboutFailures, threshold.NeedsServer).ShouldBe((failures, server));
        (result.IsAboutFailures, result.ServerFigureMissing).ShouldBe((failures, server));
    }
}
