using System.Collections.Concurrent;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Blocking.Waits;

/// <summary>
/// The waits in progress. Waits that the hook watches are in the threads' slots; waits that a snapshot saw are kept here.
/// </summary>
internal sealed class LiveWaits
{
    private readonly ConcurrentDictionary<int, LiveWait> _fromSnapshots = new();

    /// <summary>Adds a wait that a snapshot saw. It replaces an earlier one on the same thread.</summary>
    public void AddFromSnapshot(LiveWait wait) => _fromSnapshots[wait.OsThreadId] = wait;

    public void RemoveFromSnapshot(LiveWait wait) => _fromSnapshots.TryRemove(KeyValuePair.Create(wait.OsThreadId, wait));

    /// <summary>
    /// Where a request's thread was waiting when the watcher sampled it; null when it wasn't waiting, or when the place is unknown.
    /// </summary>
    public LiveWait? Find(LiveSegment segment)
    {
        if ((segment.Wait as HookedWait)?.Attribute(segment.Probe, segment.OsThreadId) is { } wait)
        {
            return wait;
        }

        return _fromSnapshots.TryGetValue(segment.OsThreadId, out var sampled) && sampled.Probe == segment.Probe ? sampled : null;
    }
}
