using System.Collections.Concurrent;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The waits that still go on: those that the hook watches stand in the threads' slots, those that a snapshot has seen here.
/// </summary>
internal sealed class LiveWaits
{
    private readonly ConcurrentDictionary<int, LiveWait> _fromSnapshots = new();

    /// <summary>Where a snapshot has seen a thread wait. One on each thread; a later one takes its place.</summary>
    public void AddFromSnapshot(LiveWait wait) => _fromSnapshots[wait.OsThreadId] = wait;

    public void RemoveFromSnapshot(LiveWait wait) => _fromSnapshots.TryRemove(KeyValuePair.Create(wait.OsThreadId, wait));

    /// <summary>Where a request's thread waited when the watcher looked; null when it did not, or when nobody has seen where.</summary>
    public LiveWait? Find(LiveSegment segment)
    {
        if ((segment.Wait as HookedWait)?.Attribute(segment.Probe, segment.OsThreadId) is { } wait)
        {
            return wait;
        }

        return _fromSnapshots.TryGetValue(segment.OsThreadId, out var sampled) && sampled.Probe == segment.Probe ? sampled : null;
    }
}
