using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Tests.Pool.Diagnosis;

[Trait(Logic.Category, Logic.Name)]
public sealed class PoolSentencesTests
{
    private const string Site = "Orders.Load (Orders.cs:42)";

    // It said "Most of them (1) are blocked" and "Await there" where no place was named.
    [Theory]
    [InlineData(8, 8, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. All of them are blocked in GET /orders at Orders.Load "
            + "(Orders.cs:42).")]
    [InlineData(8, 5, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. Most of them (5) are blocked in GET /orders at Orders.Load "
            + "(Orders.cs:42).")]
    [InlineData(8, 4, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. 4 of them are blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(8, 1, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. One of them is blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(1, 1, Site,
        "1 of 8 busy threads is blocked in a request and does nothing. It is blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(8, 8, null,
        "8 of 8 busy threads are blocked in requests and do nothing. All of them are blocked in GET /orders, location not known yet (the "
            + "wait hook watches its next requests).")]
    public void Explanation_CountsAsAPersonDoes(int blocked, int endpointThreads, string? site, string expected) =>
        PoolSentences.Explain(Verdict(blocked, endpointThreads, site)).ShouldBe(expected);

    [Theory]
    [InlineData(Site, nameof(WaitsSeen.Found), "Await there instead of blocking.")]
    [InlineData(null, nameof(WaitsSeen.NotLooked), "Await instead of blocking.")]
    [InlineData(null, nameof(WaitsSeen.NothingFound),
        "Find there what sleeps, reads files or calls native code, and await instead. Add AsyncProbe.StackSnapshots to find it.")]
    public void Advice_PointsToAPlace_OnlyWhenOneWasNamed(string? site, string seen, string expected) =>
        PoolSentences.Advise(Verdict(8, 8, site, Enum.Parse<WaitsSeen>(seen))).ShouldBe(expected);

    [Fact]
    public void Advice_SaysWhatHelpsWithoutADeployment_InHexadecimal()
    {
        var blocked = Verdict(8, 8, Site);
        PoolSentences.Advise(blocked with { Diagnosis = blocked.Diagnosis! with { RecommendedMinimum = 240 } }).ShouldBe(
            "Await there instead of blocking. Until then a minimum of 240 threads (now 0) lets the pool grow at once: "
            + "restart with DOTNET_ThreadPool_ForceMinWorkerThreads=F0 (hexadecimal) in the environment, or call "
            + "ThreadPool.SetMinThreads(240, 240).");
        PoolSentences.Advise(blocked with { Diagnosis = blocked.Diagnosis! with { Cause = PoolCause.Deadlock } })
            .ShouldEndWith(
                "restart with DOTNET_ThreadPool_ForceMaxWorkerThreads=3E8 (hexadecimal) in the environment, or call "
                    + "ThreadPool.SetMaxThreads(1000, 1000).");
    }

    [Fact]
    public void Advice_SaysWhatHelps_WhereAwaitDoesNot()
    {
        var verdict = Verdict(8, 8, Site);

        PoolSentences.Advise(verdict with { Diagnosis = verdict.Diagnosis! with { Remedy = "Hold that lock for less time." } })
            .ShouldBe("Hold that lock for less time.");
    }

    [Fact]
    public void Explanation_PromisesNoLook_WhenDetectionIsOff()
    {
        var verdict = Verdict(8, 8, site: null);

        PoolSentences.Explain(verdict with { Diagnosis = verdict.Diagnosis! with { WillLook = false } })
            .ShouldEndWith("GET /orders, location unknown (detection is off).");
    }

    private static PoolVerdict Verdict(int blocked, int endpointThreads, string? site, WaitsSeen seen = WaitsSeen.NotLooked)
    {
        var sample = new PoolSample(DateTime.UtcNow, Threads: 8, Pending: 50, Completed: 1, Busy: 8, Duration.Second, Duration.Second);
        return new PoolVerdict(
            PoolCondition.Starved, sample.At,
            new PoolDiagnosis(PoolCause.Blocked, sample, blocked, blocked, "GET /orders", endpointThreads, site) { Seen = seen });
    }
}
