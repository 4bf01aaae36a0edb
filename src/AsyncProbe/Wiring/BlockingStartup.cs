using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Starts and stops what Blocking does off the request: the self-test, EF Core's events, and its ears at the watcher.</summary>
internal sealed class BlockingStartup(
    HookStatus hook,
    Arming arming,
    EfCoreCommands efCore,
    HangingRequests hanging,
    SiteFeed feed,
    UnclaimedSnapshots unclaimed,
    IEnumerable<IStackSource> stackSources,
    IOptions<AsyncProbeOptions> options)
{
    private readonly IWatcherListener[] _listeners = [hanging, feed, unclaimed];
    private Watcher? _watcher;

    /// <summary>Whether the watcher tells it of what is held now.</summary>
    public bool IsWatching => _watcher is not null;

    public async Task StartAsync()
    {
        if (_watcher is null)
        {
            await TestAsync().ConfigureAwait(false);
            Start();
        }
    }

    /// <summary>The self-test runs on the pool's threads, and takes its time where none is free.</summary>
    public async Task TestAsync()
    {
        if (!await hook.TestAsync().ConfigureAwait(false))
        {
            arming.TurnOff();
        }
    }

    /// <summary>Everything but the self-test; needs no pool thread.</summary>
    public void Start()
    {
        if (hook.IsLooking)
        {
            efCore.Subscribe();
        }

        // Snapshots find sites without the hook too.
        if (hook.IsLooking || (options.Value.Enabled && stackSources.Any()))
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
            Array.ForEach(_listeners, watcher.Unsubscribe);
        }

        efCore.Unsubscribe();
        feed.Flush();
    }
}
