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
    public async Task Code_IsThatOfTheContract()
    {
        await Decides(0, "", s_good);
        await Decides(130, "Interrupted", s_good with { Interrupted = true });
        await Decides(3, "every request failed: connection refused.", s_nothing);
        await Decides(3, "most requests failed", s_mostlyFailed);
        await Decides(99, "Threshold not met: rps>100", Judge(s_good, "rps>100"));
        await Decides(4, "needs server figures", Judge(s_good, "blocked.avg<5", "rps>100"));
        await Decides(99, "Thresholds not met: rps>100, max<1", Judge(s_good, "rps>100", "max<1"));
        await Decides(4, "blocked.avg<5 needs server figures that are not available: is AsyncProbe mapped at /_threadpool (or given with "
            + "--probe URL), and does the server's system provide this figure?", Judge(s_good, "blocked.avg<5"));
        await Decides(0, "", Judge(s_good, "rps>10"));
        await Decides(130, "Interrupted", s_good, s_good with { Interrupted = true });
    }

    [Fact]
    public async Task Nothing_IsMeasured_WhenNoRequestEndedInTime() =>
        await Decides(
            3, "story: nothing was measured, because no request was answered in the measured time. Run it longer (-s), or with fewer "
                + "threads (-t).", Facts.Run(0));

    [Fact]
    public async Task Comparison_NeedsFiguresOfEverySession()
    {
        await Decides(0, "", Compare(s_good, s_good));
        await Decides(3, "every request failed: connection refused.", Compare(s_good, s_nothing));
        await Decides(130, "Interrupted", Compare(s_good, s_nothing) with { Interrupted = true });
        await Decides(99, "Threshold not met: rps>100", Compare(s_good, s_good) with { Thresholds = Judge(s_good, "rps>100").Thresholds });
    }

    [Fact]
    public async Task Observation_NeedsOneReplica()
    {
        var seen = new ObservationResult
        {
            StartedAt = DateTimeOffset.UnixEpoch, Seconds = 10,
            Replicas = [new() { Name = "a", Seconds = 10, Requests = 1, Server = Facts.Server(("GET /", 1, 0)) }],
            Thresholds = Judge(s_good, "rps>100").Thresholds,
        };

        await Decides(3, "Nothing was observed: no replica answered.", seen with { Replicas = [] });
        await Decides(130, "Interrupted: the figures cover the time until then.", seen with { Interrupted = true });
        await Decides(99, "Threshold not met: rps>100", seen);
        await Decides(0, "", seen with { Thresholds = [] });
    }

    [Fact]
    public async Task State_IsJudgedByItsThresholds()
    {
        var state = new StateResult { Url = "http://x", At = DateTimeOffset.UnixEpoch, KnownSites = [] };

        await Decides(0, "", state);
        await Decides(99, "Threshold not met: rps>100", state with { Thresholds = Judge(s_good, "rps>100").Thresholds });
    }

    [Fact]
    public async Task MostlyFailed_IsNoError_WhenAThresholdSaysHowManyMayFail()
    {
        await Decides(0, "", Judge(s_mostlyFailed, "failed.rate<0.8"));
        await Decides(99, "Threshold not met: failed.count<5", Judge(s_mostlyFailed, "failed.count<5"));
        await Decides(0, "", Judge(s_mostlyFailed, "rps>1", "failed.rate<0.8"));
        // A name that contains a metric is not a decision about failures.
        await Decides(3, "most requests failed", Judge(s_mostlyFailed, "name[failed.rate]:rps>1"));
    }

    [Fact]
    public async Task HalfFailed_IsNotMost() => await Decides(0, "", s_good with { Total = s_good.Total with { Failed = 200 } });

    [Fact]
    public async Task Sweep_MayKillTheServer_ButNotFromTheStart()
    {
        await Decides(0, "", s_good, s_nothing);
        await Decides(0, "", s_good, s_mostlyFailed);
        await Decides(3, "nothing was measured", s_nothing, s_nothing);
        await Decides(3, "most requests failed", s_mostlyFailed, s_mostlyFailed);
    }

    private static RunResult Judge(RunResult run, params string[] thresholds) =>
        ThresholdJudge.Judge(run, [.. thresholds.Select(ThresholdParser.Parse)]);

    private static ComparisonResult Compare(params RunResult[] runs) => ComparisonBuilder.Build(
        [.. runs.Select((run, i) => ($"{i}", new[] { run }))], [], freshServer: false, interrupted: false);

    private static Task Decides(int code, string message, params RunResult[] runs) =>
        Decides(code, message, messages => ExitDecision.ExplainAsync(runs, messages));

    private static Task Decides(int code, string message, ComparisonResult comparison) =>
        Decides(code, message, messages => ExitDecision.ExplainAsync(comparison, messages));

    private static Task Decides(int code, string message, ObservationResult observation) =>
        Decides(code, message, messages => ExitDecision.ExplainAsync(observation, messages));

    private static Task Decides(int code, string message, StateResult state) =>
        Decides(code, message, messages => ExitDecision.ExplainAsync(state, messages));

    private static async Task Decides(int code, string message, Func<TextWriter, Task<int>> explain)
    {
        using var messages = new StringWriter();
        (await explain(messages)).ShouldBe(code, messages.ToString());
        messages.ToString().ShouldContain(message);
        (messages.ToString().Length == 0).ShouldBe(code == 0, "a code other than 0 is explained");
    }
}
