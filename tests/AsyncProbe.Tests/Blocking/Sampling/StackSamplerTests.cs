using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Blocking.Sampling;

public sealed class StackSamplerTests
{
    private readonly Faults _faults = new(NullLogger<Faults>.Instance);

    [Fact]
    public async Task NextJob_Runs_WhenOneHasFailed()
    {
        var sampler = Create(new Source(), out var outcomes);
        string? reason = null;
        var hasEnded = new TaskCompletionSource();
        sampler.TryRun(OwnThreadRole.Snapshot, _ => throw new InsufficientMemoryException("full"), text => reason = text, hasEnded.SetResult)
            .ShouldBeTrue();
        await hasEnded.Task.WaitAsync(ProbedApp.Timeout);
        reason.ShouldBe("stack snapshots: full");
        outcomes.Failed.ShouldBe(1);

        hasEnded = new TaskCompletionSource();
        sampler.TryRun(OwnThreadRole.Snapshot, _ => { }, atEnd: hasEnded.SetResult).ShouldBeTrue("no job runs any more");
        await hasEnded.Task.WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public async Task OneJob_RunsAtATime_InAllHosts()
    {
        using var gate = new ManualResetEventSlim();
        var hasEnded = new TaskCompletionSource();
        Create(new Source(), out _).TryRun(OwnThreadRole.Snapshot, _ => gate.Wait(), atEnd: hasEnded.SetResult).ShouldBeTrue();

        Create(new Source(), out _).TryRun(OwnThreadRole.Window, _ => { }).ShouldBeFalse();

        gate.Set();
        await hasEnded.Task.WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public void NoJob_Runs_WhenTheSourceFailsToSayWhetherItCan()
    {
        var sampler = Create(new Source { Fails = true }, out _);

        sampler.IsAllowed.ShouldBeFalse();
        sampler.TryRun(OwnThreadRole.Snapshot, _ => { }).ShouldBeFalse();
    }

    // A snapshot reads its stacks after the request that it saw has ended. The request's time was shared out until then, and a call site had
    // 12.2 s of its endpoint's 11.1.
    [Fact]
    public async Task Time_IsNotSharedOut_WhileAJobRuns()
    {
        var (endpoints, sites) = (new EndpointTable(10, 10), new BlockingSites(100, new AllowRules([])));
        var unexplained = new UnexplainedTime(endpoints, sites);
        var sampler = Create(new Source(), out _);
        var guarded = new GuardedSource([new Source()], Microsoft.Extensions.Options.Options.Create(new AsyncProbeOptions()), _faults);
        var taker = new WindowTaker(sites, HandMadeStacks.Frames, endpoints);
        var windows = new SamplingWindows(
            guarded, sampler, taker, unexplained, new WindowBudget(TimeProvider.System, isDevelopment: false), _faults);
        var site = new BlockingSite(WaitKind.Sleep, null, null, [], null);
        var totals = endpoints.Unmatched;
        var second = Duration.Second;
        totals.Begin();
        var whole = new HeldSplit(second, default, default, default, second);
        totals.End(whole, whole, 1, second, RequestOutcome.None);
        unexplained.Update(Timestamp.Now());
        var hits = Enumerable.Repeat(new WindowHit(totals, site, 10 * Duration.Millisecond), Evidence.HitsForAShare);
        unexplained.End([totals], [.. hits], Timestamp.Now());
        using var gate = new ManualResetEventSlim();
        var hasEnded = new TaskCompletionSource();
        sampler.TryRun(OwnThreadRole.Snapshot, _ => gate.Wait(), atEnd: hasEnded.SetResult).ShouldBeTrue();

        windows.OnSecond(null!, null!, default);
        site.Shared.ShouldBe(Duration.Zero);

        gate.Set();
        await hasEnded.Task.WaitAsync(ProbedApp.Timeout);
        windows.OnSecond(null!, null!, default);
        site.Shared.ShouldBeGreaterThan(Duration.Zero);
    }

    private StackSampler Create(Source source, out SnapshotOutcomes outcomes)
    {
        outcomes = new SnapshotOutcomes(_faults, NullLogger<Snapshots>.Instance);
        var guarded = new GuardedSource([source], Microsoft.Extensions.Options.Options.Create(new AsyncProbeOptions()), _faults);
        return new StackSampler(guarded, outcomes);
    }

    private sealed class Source : IStackSource
    {
        public bool Fails { get; init; }

        public TimeSpan Interval => TimeSpan.FromHours(1);

        public string? NotAvailable => Fails ? throw new IOException() : null;

        public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end) => [];
    }
}
