using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Commands;

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
        await Decides(0, "", Judge(s_good, "rps>10"));
    }

    [Fact]
    public async Task MostlyFailed_IsNoError_WhenAThresholdSaysHowManyMayFail()
    {
        await Decides(0, "", Judge(s_mostlyFailed, "failed.rate<0.8"));
        await Decides(99, "Threshold not met: failed.count<5", Judge(s_mostlyFailed, "failed.count<5"));
        // A name is no decision about failures.
        await Decides(3, "most requests failed", Judge(s_mostlyFailed, "name[failed.rate]:rps>1"));
    }

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

    private static async Task Decides(int code, string message, params RunResult[] runs)
    {
        using var messages = new StringWriter();
        (await ExitDecision.ExplainAsync(runs, messages)).ShouldBe(code, messages.ToString());
        messages.ToString().ShouldContain(message);
    }
}
