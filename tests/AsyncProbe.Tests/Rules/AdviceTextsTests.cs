using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

/// <summary>The whole sentences. <see cref="AdviceTests"/> tests which of their parts are there when.</summary>
[Trait(Logic.Category, Logic.Name)]
[Trait(Logic.Category, ApprovedTexts.Category)]
public sealed class AdviceTextsTests
{
    private static Duration Ms => Duration.Millisecond;

    private static readonly HeldSplit s_blocked = new(210 * Ms, 8 * Ms, Duration.Zero, 2 * Ms, 200 * Ms);

    private static readonly WaitPlace s_taskWait = AdviceCases.Site(WaitKind.TaskWait);

    private readonly ApprovedTexts _texts = new("AsyncProbe.Tests/Rules/Advice");

    [Fact]
    public void Advice_ReadsAsApproved()
    {
        AddCollecting();
        AddAsyncWillHelp();
        AddLocksAndProviders();
        AddCpuBound();
        AddFine();
        AddNoVerdict();

        _texts.ShouldBeApproved();
    }

    private void AddCollecting()
    {
        var collecting = AdviceCases.State(s_blocked, requests: 2);
        Add("collecting", Verdict.NotEnoughData, collecting);
        Add("collecting, operations", Verdict.NotEnoughData, collecting with { IsOperation = true });
        Add("the platform has no thread clock", Verdict.NotEnoughData, collecting with { HasClock = false });
    }

    private void AddAsyncWillHelp()
    {
        var state = AdviceCases.State(s_blocked);
        var ceiling = Ceiling.Create(s_blocked, 200 * Ms, Duration.Zero, threads: 5, cores: 2);
        var found = state with { Worst = s_taskWait, Ceiling = ceiling };
        Add("async will help", Verdict.AsyncWillHelp, found);
        Add("async will help, operations", Verdict.AsyncWillHelp, found with { IsOperation = true });
        Add("async will help, with little CPU time", Verdict.AsyncWillHelp, LittleCpu(0.7));
        Add("async will help, with almost no CPU time", Verdict.AsyncWillHelp, LittleCpu(0.05));

        var wasteful = new HeldSplit(21 * Ms, Ms / 2, default, default, 20 * Ms);
        Add("async will help, after the pool has grown", Verdict.AsyncWillHelp, AdviceCases.State(wasteful) with
        {
            Worst = s_taskWait,
            Ceiling = Ceiling.Create(wasteful, wasteful.Blocked, Duration.Zero, threads: 2000, cores: 2),
        });
        Add("async will help, behind a limit", Verdict.AsyncWillHelp,
            found with { Worst = new WaitPlace("Shop.Pay") { Limit = "the semaphore", Instead = "WaitAsync" } });
        Add("async will help, on busy cores", Verdict.AsyncWillHelp,
            found with { Mean = s_blocked with { Cpu = 8 * Ms, CpuWait = 130 * Ms, Blocked = 70 * Ms } });
        Add("async will help, at a call without anything known to await", Verdict.AsyncWillHelp,
            found with { Worst = AdviceCases.Site(WaitKind.SyncIO) with { IsAwaitable = false } });
        Add("async will help, at several places", Verdict.AsyncWillHelp, found with { IsWorstMostOfIt = false, HasOtherPlaces = true });
        Add("async will help, most at one place but not all", Verdict.AsyncWillHelp, found with { HasOtherPlaces = true });
        Add("async will help, at several places without anything known to await", Verdict.AsyncWillHelp,
            found with { Worst = AdviceCases.Site(WaitKind.SyncIO) with { IsAwaitable = false }, HasOtherPlaces = true });
        Add("async will help, while others wait to write to the database", Verdict.AsyncWillHelp, found with { BlockedAsWriter = 150 * Ms });
        Add("async will help, in parallel", Verdict.AsyncWillHelp, found with { MeanDuration = 110 * Ms });
        Add("async will help, partly allowed", Verdict.AsyncWillHelp, AdviceCases.State(s_blocked, allowed: 50 * Ms));
        Add("async will help, no request watched yet", Verdict.AsyncWillHelp, state);
        Add("async will help, detection is off", Verdict.AsyncWillHelp, state with { WillLook = false });
        Add("async will help, at an unknown place", Verdict.AsyncWillHelp, state with { Seen = WaitsSeen.NothingFound });
        Add("async will help, at an unknown place despite snapshots", Verdict.AsyncWillHelp,
            state with { Seen = WaitsSeen.NothingFound, HasSnapshots = true });
        Add("async will help, only a small part of it found", Verdict.AsyncWillHelp,
            state with { Seen = WaitsSeen.NothingFound, MinorPlace = AdviceCases.Site(WaitKind.EfCore) });
        Add("async will help, only recently", Verdict.AsyncWillHelp, found with { HasChanged = true });
        Add("async will help, few requests are blocked", Verdict.AsyncWillHelp, OfFew() with { Worst = s_taskWait });
        Add("async will help, few requests are blocked, partly allowed", Verdict.AsyncWillHelp, AdviceCases.State(
            new HeldSplit(7 * Ms, Ms / 2, default, default, 6 * Ms), requests: 40, allowed: 2 * Ms, blocking: 1) with { Worst = s_taskWait });

        EndpointCase LittleCpu(double cpuMs)
        {
            var mean = new HeldSplit(200 * Ms, cpuMs * Ms, default, default, 199 * Ms);
            return AdviceCases.State(mean) with
            {
                Worst = s_taskWait,
                Ceiling = Ceiling.Create(mean, mean.Blocked, Duration.Zero, threads: 4, cores: 2),
            };
        }
    }

    private void AddLocksAndProviders()
    {
        var state = InLocksAndProvider(150 * Ms);
        Add("contended lock", Verdict.LockContention, state with { WorstLock = AdviceCases.Site(WaitKind.Lock) });
        Add("contended lock, at an unknown place", Verdict.LockContention, state);
        Add("contended lock of a logger", Verdict.LockContention,
            state with { WorstLock = new WaitPlace("Shop.Get") { Owner = "NLog", IsLogger = true } });
        Add("contended lock of a library", Verdict.LockContention,
            state with { WorstLock = new WaitPlace("Shop.Get") { Owner = "System.Data.SQLite" } });

        // The verdict leaves out time that is unclear.
        Add("contended lock, less than half of it", Verdict.LockContention, InLocksAndProvider(88 * Ms));
        Add("synchronous provider, less than half of it", Verdict.ProviderIsSynchronous, InLocksAndProvider(88 * Ms));

        Add("synchronous provider", Verdict.ProviderIsSynchronous, state with { Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite") });
        Add("synchronous provider, known only from the code", Verdict.ProviderIsSynchronous,
            state with { Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"), IsProviderFromCode = true });
        Add("synchronous provider, locked database", Verdict.ProviderIsSynchronous,
            state with { Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"), IsProviderBusy = true });
        Add("synchronous provider, files", Verdict.ProviderIsSynchronous,
            state with { Provider = SynchronousProvider.Files, IsProviderBusy = true });
        Add("synchronous provider, unknown", Verdict.ProviderIsSynchronous, state);
        Add("synchronous provider, few requests are blocked", Verdict.ProviderIsSynchronous, OfFew() with
        {
            Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"),
            Parts = new BlockedParts(Ms * 4, Duration.Zero, Locks: Duration.Zero, Provider: Ms * 3),
        });

        var awaitable = InLocksAndProvider(60 * Ms) with
        {
            Worst = s_taskWait,
            Ceiling = Ceiling.Create(s_blocked, 80 * Ms, Duration.Zero, threads: 5, cores: 2),
        };
        Add("a place that can be awaited, beside locks and a provider", Verdict.AsyncWillHelp,
            awaitable with { Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"), Ceiling = null });
        Add("contended lock, and another place that can be awaited", Verdict.LockContention, awaitable);
        Add("synchronous provider, and other places that can be awaited", Verdict.ProviderIsSynchronous,
            awaitable with { Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"), HasOtherPlaces = true });

        static EndpointCase InLocksAndProvider(Duration each) => AdviceCases.State(s_blocked) with
        {
            Parts = new BlockedParts(s_blocked.Blocked, Duration.Zero, Locks: each, Provider: each),
        };
    }

    // Most requests don't wait, and a mean over all of them would hide that.
    private static EndpointCase OfFew() =>
        AdviceCases.State(new HeldSplit(Ms * 5, Ms / 2, default, default, Ms * 4), requests: 3864, blocking: 82);

    private void AddCpuBound()
    {
        var ceiling = new Ceiling(20, new Rate(47, 50), new Rate(47, 50));
        var works = AdviceCases.State(new HeldSplit(60 * Ms, 57 * Ms, default, 2 * Ms, Ms / 2));
        Add("CPU-bound", Verdict.CpuBound, works with { Ceiling = ceiling });
        Add("CPU-bound, no ceiling known", Verdict.CpuBound, works);
        Add("CPU-bound, but also blocked", Verdict.CpuBound,
            AdviceCases.State(new HeldSplit(60 * Ms, 40 * Ms, default, default, 20 * Ms)) with { Ceiling = ceiling });
        Add("CPU-bound, mostly waiting for a core", Verdict.CpuBound,
            AdviceCases.State(new HeldSplit(57 * Ms, 3 * Ms, 50 * Ms, default, Ms / 2)) with { Ceiling = ceiling });
        Add("CPU-bound, mostly waiting for a core, but also blocked", Verdict.CpuBound,
            AdviceCases.State(new HeldSplit(57 * Ms, 3 * Ms, 50 * Ms, default, 4 * Ms)) with { Ceiling = ceiling });
        Add("CPU-bound, two requests blocked at an unknown place", Verdict.CpuBound,
            AdviceCases.State(new HeldSplit(20 * Ms, 15 * Ms, default, default, 3 * Ms), requests: 20, blocking: 2));
        Add("CPU-bound, one request blocked", Verdict.CpuBound,
            AdviceCases.State(new HeldSplit(20 * Ms, 15 * Ms, default, default, 3 * Ms), requests: 20, blocking: 1));

        var compiles = AdviceCases.State(new HeldSplit(100 * Ms, 72 * Ms, default, default, 28 * Ms));
        Add("CPU-bound, also blocked where nothing can be awaited", Verdict.CpuBound,
            compiles with { Parts = compiles.Parts with { Unplaced = 28 * Ms } });
        Add("CPU-bound, also blocked where hardly anything is known", Verdict.CpuBound,
            compiles with { Parts = compiles.Parts with { Unplaced = 28 * Ms }, Worst = AdviceCases.Site(WaitKind.Sleep) });
        Add("CPU-bound, collections may explain the rest", Verdict.CpuBound, Unclear(AdviceCases.Collecting));
        Add("CPU-bound, waits for a core may explain the rest", Verdict.CpuBound, Unclear(AdviceCases.Crowded));
    }

    private void AddFine()
    {
        var fast = AdviceCases.State(new HeldSplit(Ms / 2, Ms / 2, default, default, default));
        Add("already async", Verdict.AlreadyAsync,
            AdviceCases.State(new HeldSplit(2 * Ms, 2 * Ms, default, default, default), duration: 200 * Ms));
        Add("fine", Verdict.Fine, fast);
        Add("fine, only recently", Verdict.Fine, fast with { HasChanged = true });
        Add("fine, waiting for a core", Verdict.Fine, AdviceCases.State(new HeldSplit(9 * Ms, Ms / 2, 8 * Ms, default, default)));
        Add("fine, blocked where it may", Verdict.Fine, AdviceCases.State(s_blocked, allowed: 200 * Ms));
        Add("fine, blocked where it may, with a reason", Verdict.Fine,
            AdviceCases.State(s_blocked, allowed: 200 * Ms) with { AllowedReason = "start-up cache" });
        var waits = AdviceCases.State(new HeldSplit(21 * Ms, Ms / 2, default, default, 20 * Ms));
        Add("fine, blocked where nothing can be awaited", Verdict.Fine, waits with { Parts = waits.Parts with { Unplaced = 20 * Ms } });
        Add("fine, collections may explain it", Verdict.Fine, Unclear(AdviceCases.Collected));
        Add("fine, one request blocked", Verdict.Fine,
            AdviceCases.State(new HeldSplit(3.2 * Ms, 0.2 * Ms, default, default, 3 * Ms), requests: 20, blocking: 1));
        Add("fine, one request blocked, and others for less than a millisecond", Verdict.Fine,
            AdviceCases.State(new HeldSplit(3.2 * Ms, 0.2 * Ms, default, default, 3 * Ms), requests: 20, blocking: 1) with { BlockedSquares = 40 * 40 });
        Add("fine, blocked where it may, and one request elsewhere", Verdict.Fine,
            AdviceCases.State(new HeldSplit(13.2 * Ms, 0.2 * Ms, default, default, 13 * Ms), requests: 20, allowed: 10 * Ms, blocking: 1));
    }

    private void AddNoVerdict()
    {
        Add("no verdict, because waits for a core hide it", Verdict.NotEnoughData,
            Unclear(AdviceCases.State(new HeldSplit(54.5 * Ms, 0.5 * Ms, 34 * Ms, default, 20 * Ms))));
    }

    private static EndpointCase Unclear(EndpointCase endpoint) => AdviceCases.Unclear(endpoint);

    private void Add(string name, Verdict verdict, EndpointCase endpoint) => _texts.Add(name, Advice.Write(endpoint, verdict));
}
