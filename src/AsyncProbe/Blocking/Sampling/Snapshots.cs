using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Decides when a stack snapshot is taken: while a segment is blocked at an unknown place, or when a person asks.
/// </summary>
internal sealed class Snapshots(
    GuardedSource source,
    StackSampler sampler,
    SnapshotTaker taker,
    LiveWaits live,
    EndpointTable endpoints,
    SnapshotOutcomes outcomes,
    Faults faults) : IWatcherListener
{
    // Shorter waits are frequent, and most are over before a sample is taken.
    private static Duration BlockedFor => Duration.FromMilliseconds(200);

    private const int MostDoublings = 20;

    // A person who asks repeatedly must not keep the process stopping and starting.
    private static Duration PauseOnDemand => Duration.Second;

    private WatcherSubscription? _subscription;
    private Timestamp _takenAt;
    private volatile int _misses;

    /// <summary>Why snapshots are unavailable; null when they can be taken, or without a stack source.</summary>
    public string? NotAvailable => source.NotAvailable ?? outcomes.Failure;

    public bool HasSource => source.Exists;

    /// <summary>Whether the source itself reports that no snapshots can be taken here. A failure, in contrast, may pass.</summary>
    public bool IsUnsupported => source.NotAvailable is not null;

    public void Start()
    {
        if (source.Exists && _subscription is null)
        {
            outcomes.Warn(source.NotAvailable);
            _subscription = Watcher.Subscribe(this, faults);
        }
    }

    public void Stop()
    {
        Interlocked.Exchange(ref _subscription, null)?.Dispose();
        taker.Reset();
    }

    public void OnTick(PoolSample sample, LiveSegments live)
    {
        taker.Follow();
        if (source.Exists && IsDue(source.Interval) && sampler.IsAllowed && FindsUnexplained(live))
        {
            TryBegin(null);
        }
    }

    /// <summary>Takes a snapshot now. The answer comes from the snapshot's thread, so the caller's thread doesn't wait.</summary>
    /// <returns>
    /// Null when no snapshot could be started, for example because one is being taken. Otherwise a snapshot, or the reason why there is
    /// none.
    /// </returns>
    public Task<SnapshotAnswer>? TakeAsync()
    {
        var done = new TaskCompletionSource<SnapshotAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
        return TryBegin(done) ? done.Task : null;
    }

    /// <summary>How long a person has to wait before asking again; zero or less when no wait is needed.</summary>
    public Duration PauseLeft => Counter.Read(ref _takenAt) is var at && at == default ? Duration.Zero : PauseOnDemand - at.Elapsed();

    // At first, a snapshot that found nothing doesn't use up the interval.
    private bool IsDue(Duration interval)
    {
        var at = Counter.Read(ref _takenAt);
        var pause = _misses is > 0 and var misses ? PauseOnDemand * (1 << Math.Min(misses - 1, MostDoublings)) : interval;
        return at == default || at.Elapsed() >= Duration.Min(pause, interval);
    }

    // A thread that lost its core looks blocked until it runs again.
    private bool FindsUnexplained(LiveSegments live) =>
        live.All.Where(IsUnexplained).Where((s, i) => i >= LiveSegments.MostAsked || s.Slot?.WantsToRun() is not true).Any();

    // If call sites explain an endpoint's blocked time, nothing is left to find, except a wait that the hook should have recorded by now
    // but hasn't.
    private bool IsUnexplained(LiveSegment segment) =>
        segment is { IsBlocked: true, Probe.Totals: { AllowReason: null } totals }
        && segment.Held >= BlockedFor
        && endpoints.Owns(totals)
        && (totals.Waits?.Explained is not >= EndpointWaits.EnoughExplained || segment.Held >= HookedWait.LongFrom)
        && live.Find(segment) is null;

    private bool TryBegin(TaskCompletionSource<SnapshotAnswer>? asked)
    {
        // Created in advance, because the snapshot may fail when the process is out of memory.
        var answer = new SnapshotAnswer(null, "stack snapshots: the snapshot failed before it could say why.");
        return sampler.TryRun(
            OwnThreadRole.Snapshot,
            stacks => answer = Take(stacks),
            reason =>
            {
                _misses = 0;
                answer = new SnapshotAnswer(null, reason);
            },
            () => asked?.TrySetResult(answer));
    }

    private SnapshotAnswer Take(IStackSource stacks)
    {
        var at = DateTime.UtcNow;
        var began = Timestamp.Now();
        try
        {
            var found = taker.Take(stacks);
            var snapshot = new Snapshot(at, began.Elapsed(), found);
            _misses = found.Count == 0 ? _misses + 1 : 0;
            outcomes.OnTaken(at, snapshot.Took);
            return new SnapshotAnswer(snapshot, null);
        }
        finally
        {
            Counter.Write(ref _takenAt, Timestamp.Now());
        }
    }
}
