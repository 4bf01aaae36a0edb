using AsyncProbe.Accounting;
using AsyncProbe.Blocking.EfCore;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Wiring;

/// <summary>
/// Starts and stops what Blocking does outside of requests: the self-test, EF Core's events, and its subscriptions to the watcher.
/// </summary>
internal sealed class BlockingStartup(
    HookStatus hook,
    EfCoreEvents efCore,
    HangingRequests hanging,
    SiteFeed feed,
    UnclaimedSnapshots unclaimed,
    GuardedSource stacks,
    Faults faults)
{
    private readonly IWatcherListener[] _listeners = [hanging, feed, unclaimed];
    private WatcherSubscription[] _subscriptions = [];

    /// <summary>Whether it is subscribed to the watcher.</summary>
    public bool IsWatching => _subscriptions.Length > 0;

    public async Task StartAsync()
    {
        if (!IsWatching)
        {
            await hook.TestAsync().ConfigureAwait(false);
            Start();
        }
    }

    /// <summary>Starts everything except the self-test. Needs no pool thread.</summary>
    public void Start()
    {
        if (hook.IsLooking)
        {
            efCore.Subscribe();
        }

        // Snapshots find call sites even without the hook.
        if (hook.IsLooking || stacks.Exists)
        {
            foreach (var listener in _listeners)
            {
                _subscriptions = [.. _subscriptions, Watcher.Subscribe(listener, faults)];
            }
        }
    }

    public void Stop()
    {
        foreach (var subscription in Interlocked.Exchange(ref _subscriptions, []))
        {
            subscription.Dispose();
        }

        efCore.Unsubscribe();
        feed.Flush();
    }
}
