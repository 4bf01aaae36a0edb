using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
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
