using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Outcomes;

[Trait("Category", "Logic")]
public class ExitDecisionTests
{
    private static readonly RunResult s_good = Facts.Run(40);
    private static readonly RunResult s_mostlyFailed = s_good with { Total = s_good.Total with { Failed = 300 } };
    private static readonly RunResult s_nothing = s_good with { Total = s_good.Total with { Failed = 400,
        FailureReasons = new Dictionary<string, long> { ["connection refused"] = 400 } } };

    [Fact]
    public void Code_IsThatOfTheContract()
    {
        Decides(0, "", s_good);
        Decides(130, "Interrupted", s_good with { Interrupted = true });
        Decides(3, "every request failed: connection refused.", s_nothing);
        Decides(3, "most requests failed", s_mostlyFailed);
        Decides(99, "Threshold not met: rps>100", Judge(s_good, "rps>100"));
        Decides(4, "needs server figures", Judge(s_good, "blocked.avg<5", "rps>100"));
        Decides(99, "Thresholds not met: rps>100, max<1", Judge(s_good, "rps>100", "max<1"));
        Decides(4, "blocked.avg<5 needs server figures that are not available: is AsyncProbe mapped at /_threadpool (or given with "
            + "--probe URL), and does the server's system provide this figure?", Judge(s_good, "blocked.avg<5"));
        Decides(0, "", Judge(s_good, "rps>10"));
        Decides(130, "Interrupted", s_good, s_good with { Interrupted = true });
    }

    [Fact]
    public void Nothing_IsMeasured_WhenNoRequestEndedInTime() =>
        Decides(
            3, "story: nothing was measured, because no request was answered in the measured time. Run it longer (-s), or with fewer "
                + "threads (-t).", Facts.Run(0));

    [Fact]
    public void Comparison_NeedsFiguresOfEverySession()
    {
        Decides(0, "", Compare(s_good, s_good));
        Decides(3, "every request failed: connection refused.", Compare(s_good, s_nothing));
        Decides(130, "Interrupted", Compare(s_good, s_nothing) with { Interrupted = true });
        Decides(99, "Threshold not met: rps>100", Compare(s_good, s_good) with { Thresholds = Judge(s_good, "rps>100").Thresholds });
    }

    [Fact]
    public void Observation_NeedsOneReplica()
    {
        var seen = new ObservationResult
        {
            StartedAt = DateTimeOffset.UnixEpoch, Seconds = 10,
            Replicas = [new() { Name = "a", Seconds = 10, Requests = 1, Server = Facts.Server(("GET /", 1, 0)) }],
            Thresholds = Judge(s_good, "rps>100").Thresholds,
        };

        Decides(3, "Nothing was observed: no replica answered.", seen with { Replicas = [] });
        Decides(130, "Interrupted: the figures cover the time until then.", seen with { Interrupted = true });
        Decides(99, "Threshold not met: rps>100", seen);
        Decides(0, "", seen with { Thresholds = [] });
    }

    [Fact]
    public void State_IsJudgedByItsThresholds()
    {
        var state = new StateResult { Url = "http://x", At = DateTimeOffset.UnixEpoch, KnownSites = [] };

        Decides(0, "", state);
        Decides(99, "Threshold not met: rps>100", state with { Thresholds = Judge(s_good, "rps>100").Thresholds });
    }

    [Fact]
    public void MostlyFailed_IsNoError_WhenAThresholdSaysHowManyMayFail()
    {
        Decides(0, "", Judge(s_mostlyFailed, "failed.rate<0.8"));
        Decides(99, "Threshold not met: failed.count<5", Judge(s_mostlyFailed, "failed.count<5"));
        Decides(0, "", Judge(s_mostlyFailed, "rps>1", "failed.rate<0.8"));
        // A name that contains a metric is not a decision about failures.
        Decides(3, "most requests failed", Judge(s_mostlyFailed, "name[failed.rate]:rps>1"));
    }

    [Fact]
    public void HalfFailed_IsNotMost() => Decides(0, "", s_good with { Total = s_good.Total with { Failed = 200 } });

    [Fact]
    public void Sweep_MayKillTheServer_ButNotFromTheStart()
    {
        Decides(0, "", s_good, s_nothing);
        Decides(0, "", s_good, s_mostlyFailed);
        Decides(3, "nothing was measured", s_nothing, s_nothing);
        Decides(3, "most requests failed", s_mostlyFailed, s_mostlyFailed);
    }

    private static RunResult Judge(RunResult run, params string[] thresholds) =>
        ThresholdJudge.Judge(run, [.. thresholds.Select(text => ThresholdParser.Parse(text))]);

    private static ComparisonResult Compare(params RunResult[] runs) => ComparisonBuilder.Build(
        [.. runs.Select((run, i) => ($"{i}", new[] { run }))], [], freshServer: false, interrupted: false);

    private static void Decides(int code, string message, params RunResult[] runs) => ShouldBe(code, message, ExitDecision.Decide(runs));

    private static void Decides(int code, string message, ComparisonResult comparison) =>
        ShouldBe(code, message, ExitDecision.Decide(comparison));

    private static void Decides(int code, string message, ObservationResult observation) =>
        ShouldBe(code, message, ExitDecision.Decide(observation));

    private static void Decides(int code, string message, StateResult state) => ShouldBe(code, message, ExitDecision.Decide(state));

    private static void ShouldBe(int code, string message, (int Code, string? Why) decision)
    {
        decision.Code.ShouldBe(code, decision.Why);
        (decision.Why ?? "").ShouldContain(message);
        (decision.Why is null).ShouldBe(code == 0, "a code other than 0 is explained");
    }
}
