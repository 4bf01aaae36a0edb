using System.Globalization;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>What is said about a pool, and what helps. <see cref="PoolSentencesTests"/> tests which parts are there when.</summary>
[Trait(Logic.Category, Logic.Name)]
[Trait(Logic.Category, ApprovedTexts.Category)]
public sealed class PoolTextsTests
{
    private readonly ApprovedTexts _texts = new("AsyncProbe.Tests/Pool/Diagnosis/Pool");

    [Fact]
    public void Pool_ReadsAsApproved()
    {
        AddBlocked();
        AddOutsideRequests();
        AddCoresAndCollections();
        AddUnknown();

        _texts.ShouldBeApproved();
    }

    private void AddBlocked()
    {
        foreach (var (blocked, there) in ((int, int)[])[(8, 8), (8, 5), (8, 4), (8, 1), (1, 1)])
        {
            Add($"{blocked} threads blocked, {there} of them at one place", d => d with { Blocked = blocked, EndpointThreads = there });
        }

        Add("blocked, no request watched yet", d => d with { Site = null });
        Add("blocked, detection is off", d => d with { Site = null, WillLook = false });
        Add("blocked, at an unknown place", d => d with { Site = null, Seen = WaitsSeen.NothingFound });
        Add("blocked, with the place's own remedy", d => d with { Remedy = "(the remedy)" });
        Add("blocked, a larger minimum would help", d => d with { RecommendedMinimum = 240 });
        Add("a moment ago", d => d with { IsPast = true });
        foreach (var (requests, operations) in ((int, int)[])[(0, 0), (1, 1), (2, 1)])
        {
            Add($"one thread, {operations} of {requests} in operations", d => d with
            {
                InRequests = requests,
                InOperations = operations,
                Blocked = 1,
                EndpointThreads = 1,
                Site = null,
                Seen = WaitsSeen.Found,
                Sample = d.Sample with { Busy = 1 },
            });
        }

        Add("deadlock", d => d with { Cause = PoolCause.Deadlock, Sample = d.Sample with { MaximumThreads = 8 } });
        Add("deadlock, a larger maximum would help", d => d with { Cause = PoolCause.Deadlock, RecommendedMinimum = 240 });
    }

    private void AddOutsideRequests()
    {
        Add("work outside requests", Unclaimed(21, 21) with { Site = "Feed.OnTimer (Feed.cs:40)" });
        Add("work outside requests, one thread, at an unknown place", Unclaimed(1, 2));
        Add("work outside requests, of an unknown cause", Unclaimed(5, 8) with { Cause = PoolCause.Unknown, Site = "Feed.OnTimer (Feed.cs:40)" });
        Add("work outside requests, of an unknown cause, at an unknown place",
            Unclaimed(5, 8) with { Cause = PoolCause.Unknown, HasSnapshots = true });
        Add("work outside requests, a larger minimum would help", Unclaimed(21, 21) with { RecommendedMinimum = 30 });

        static PoolDiagnosis Unclaimed(int threads, int busy) => PoolCases.Blocked with
        {
            IsUnclaimed = true,
            UnclaimedIdle = 20,
            Endpoint = null,
            EndpointThreads = 0,
            Site = null,
            Sample = PoolCases.Blocked.Sample with { Unclaimed = threads, Busy = busy },
        };
    }

    // The number of cores is the machine's.
    private void AddCoresAndCollections()
    {
        var load = new ProcessLoad(Duration.Second, 100 * Duration.Second, Duration.Zero);
        foreach (var (requests, blocked) in ((int, int)[])[(8, 8), (2, 1), (8, 2)])
        {
            Add($"full cores, {requests - blocked} threads work in requests", d => d with
            {
                Cause = PoolCause.Cpu,
                InRequests = requests,
                Blocked = blocked,
                EndpointThreads = blocked == requests ? 0 : 3,
                Sample = d.Sample with { Load = load },
            });
        }

        Add("others have the cores", d => d with
        {
            Cause = PoolCause.Cpu,
            IsCrowdedOut = true,
            Sample = d.Sample with { Load = new ProcessLoad(Duration.Second, Duration.Zero, Duration.Zero) },
        });
        Add("collections", d => d with
        {
            Cause = PoolCause.Gc,
            Sample = d.Sample with { Load = new ProcessLoad(Duration.Second, Duration.Zero, 400 * Duration.Millisecond) },
        });
    }

    private void AddUnknown()
    {
        foreach (var (requests, operations, blocked) in ((int, int, int)[])[(0, 0, 0), (1, 0, 0), (1, 1, 1), (3, 0, 1), (3, 2, 1), (3, 3, 1)])
        {
            Add($"unknown cause, {requests} threads seen, {operations} of them in operations and {blocked} blocked", d => d with
            {
                Cause = PoolCause.Unknown,
                InRequests = requests,
                InOperations = operations,
                Blocked = blocked,
            });
        }

        _texts.Add("the figures", PoolSentences.Figures(PoolCases.Blocked.Sample));
    }

    private void Add(string name, Func<PoolDiagnosis, PoolDiagnosis> change) => Add(name, change(PoolCases.Blocked));

    private void Add(string name, PoolDiagnosis diagnosis)
    {
        var verdict = PoolCases.Verdict(diagnosis);
        _texts.Add(name, $"{PoolSentences.Explain(verdict)}\n{PoolSentences.Advise(verdict)}".Replace(
            string.Create(CultureInfo.InvariantCulture, $"{Cores.InForce:0.##} cores"), "N cores", StringComparison.Ordinal));
    }
}
