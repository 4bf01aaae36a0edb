using AsyncProbe.Accounting;
using AsyncProbe.Blocking.EfCore;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
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
    GuardedSource stacks)
{
    private readonly IWatcherListener[] _listeners = [hanging, feed, unclaimed];
    private Watcher? _watcher;

    /// <summary>Whether it is subscribed to the watcher.</summary>
    public bool IsWatching => _watcher is not null;

    public async Task StartAsync()
    {
        if (_watcher is null)
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
                _watcher = Watcher.Subscribe(listener);
            }
        }
    }

    public void Stop()
    {
        if (Interlocked.Exchange(ref _watcher, null) is { } watcher)
        {
            foreach (var listener in _listeners)
            {
                watcher.Unsubscribe(listener);
            }
        }

        efCore.Unsubscribe();
        feed.Flush();
    }
}
