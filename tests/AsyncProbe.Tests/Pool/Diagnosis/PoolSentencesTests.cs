using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>Which figures and places the sentences have, and when. <see cref="PoolTextsTests"/> has the whole sentences.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class PoolSentencesTests
{
    private const string Site = "Orders.Load (Orders.cs:42)";
    private const string Hint = "AsyncProbe.StackSnapshots";

    // It once said "Most of them (1) are blocked".
    [Theory]
    [InlineData(5, "Most of them (5)")]
    [InlineData(4, "4 of them")]
    [InlineData(1, "One of them")]
    public void Explanation_SaysMost_OnlyOfMoreThanHalf(int there, string expected) =>
        Explained(d => d with { EndpointThreads = there }).ShouldContain($". {expected} ");

    // It once said "Await there" without naming a place.
    [Theory]
    [InlineData(Site, nameof(WaitsSeen.Found), true, false)]
    [InlineData(null, nameof(WaitsSeen.NotLooked), false, false)]
    [InlineData(null, nameof(WaitsSeen.NothingFound), true, true)]
    public void Advice_PointsToAPlaceOrTheAddOn(string? site, string seen, bool hasPlace, bool hasHint)
    {
        var advice = Advised(d => d with { Site = site, Seen = Enum.Parse<WaitsSeen>(seen) });

        advice.Contains(" there ", StringComparison.Ordinal).ShouldBe(hasPlace);
        advice.Contains(Hint, StringComparison.Ordinal).ShouldBe(hasHint);
    }

    [Fact]
    public void Advice_SaysWhatHelpsWithoutADeployment_InHexadecimal()
    {
        var minimum = Advised(d => d with { RecommendedMinimum = 240 });
        minimum.ShouldContain("DOTNET_ThreadPool_ForceMinWorkerThreads=F0 ");
        minimum.ShouldContain("ThreadPool.SetMinThreads(240, 240)");

        var maximum = Advised(d => d with { Cause = PoolCause.Deadlock, RecommendedMinimum = 240 });
        maximum.ShouldContain("DOTNET_ThreadPool_ForceMaxWorkerThreads=3E8 ");
        maximum.ShouldContain("ThreadPool.SetMaxThreads(1000, 1000)");
    }

    [Fact]
    public void Advice_IsThePlacesOwn_WhereAwaitDoesNotHelp() =>
        Advised(d => d with { Remedy = "The remedy." }).ShouldBe("The remedy.");

    [Fact]
    public void Explanation_PromisesNoLook_WhenDetectionIsOff() =>
        Explained(d => d with { Site = null, WillLook = false }).ShouldContain(WaitsSeenTexts.DetectionIsOff);

    [Fact]
    public void Explanation_SaysWhatTheHookCannotSee() =>
        Explained(d => d with { Site = null, Seen = WaitsSeen.NothingFound }).ShouldContain(WaitsSeenTexts.Unknown);

    [Fact]
    public void UnclaimedWork_IsToldWithItsLine_AndNamesNoEndpoint()
    {
        var explained = Explained(d => Unclaimed(d) with { Site = "Feed.OnTimer (Feed.cs:40)" });

        explained.ShouldContain("5 of 8 busy threads");
        explained.ShouldContain("3 of those");
        explained.ShouldContain("Feed.OnTimer (Feed.cs:40)");
        explained.ShouldNotContain("/orders");
    }

    [Fact]
    public void UnclaimedWork_OfUnknownCause_SaysNothingOfWhatItDoes() =>
        Explained(d => Unclaimed(d) with { Cause = PoolCause.Unknown }).ShouldNotContain("of those");

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void UnclaimedWork_IsPointedToTheAddOn_OnlyWhereItIsMissing(bool hasSnapshots, bool expected) =>
        Advised(d => Unclaimed(d) with { HasSnapshots = hasSnapshots }).Contains(Hint, StringComparison.Ordinal).ShouldBe(expected);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Minimum_IsLeftOut_WhereItIsSaidElsewhere(bool isUnclaimed)
    {
        var diagnosis = PoolCases.Blocked with { IsUnclaimed = isUnclaimed, RecommendedMinimum = 30 };

        PoolSentences.Advise(PoolCases.Verdict(diagnosis)).ShouldContain("30 threads");
        PoolSentences.Advise(PoolCases.Verdict(diagnosis), withMinimum: false)
            .ShouldBe(PoolSentences.Advise(PoolCases.Verdict(diagnosis with { RecommendedMinimum = null })));
    }

    // The advice "Less work a request" was once given to a process that had 18 % of the cores.
    [Fact]
    public void Cores_ThatOthersHave_AreNoReasonToWorkLess()
    {
        Explained(Crowded).ShouldContain(" 0 % of ");
        Advised(Crowded).ShouldNotContain("less work");

        static PoolDiagnosis Crowded(PoolDiagnosis d) => d with { Cause = PoolCause.Cpu, IsCrowdedOut = true };
    }

    [Fact]
    public void Explanation_OfWhatWas_HasTheFiguresOfNow()
    {
        var past = PoolCases.Verdict(PoolCases.Blocked with { IsPast = true });
        var present = PoolCases.Verdict(PoolCases.Blocked);
        var latest = PoolCases.Blocked.Sample with { Busy = 2 };

        PoolSentences.Explain(past).ShouldEndWith(PoolSentences.Explain(present));
        PoolSentences.Explain(past).ShouldNotBe(PoolSentences.Explain(present));
        PoolSentences.SampleOf(past, latest).ShouldBeSameAs(latest);
        PoolSentences.SampleOf(present, latest).ShouldBeSameAs(PoolCases.Blocked.Sample);
        PoolSentences.SampleOf(PoolCases.Verdict(null), latest).ShouldBeSameAs(latest);
    }

    [Fact]
    public void NothingIsSaid_OfAPoolWithoutADiagnosis()
    {
        PoolSentences.Explain(PoolCases.Verdict(null)).ShouldBeEmpty();
        PoolSentences.Advise(PoolCases.Verdict(null)).ShouldBeEmpty();
    }

    [Fact]
    public void Names_AreThoseOfTheReport()
    {
        PoolSentences.Name(PoolCause.Deadlock).ShouldBe("deadlock");
        PoolSentences.Name(PoolCondition.Starved).ShouldBe("starved");
    }

    private static PoolDiagnosis Unclaimed(PoolDiagnosis d) => d with
    {
        IsUnclaimed = true,
        UnclaimedIdle = 3,
        Endpoint = null,
        EndpointThreads = 0,
        Site = null,
        Sample = d.Sample with { Unclaimed = 5 },
    };

    private static string Explained(Func<PoolDiagnosis, PoolDiagnosis> change) =>
        PoolSentences.Explain(PoolCases.Verdict(change(PoolCases.Blocked)));

    private static string Advised(Func<PoolDiagnosis, PoolDiagnosis> change) =>
        PoolSentences.Advise(PoolCases.Verdict(change(PoolCases.Blocked)));
}
