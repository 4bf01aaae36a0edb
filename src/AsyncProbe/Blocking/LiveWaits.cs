using System.Collections.Concurrent;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>A wait that goes on, so that a hang has a name while it lasts.</summary>
internal sealed record LiveWait(RequestProbe Probe, int OsThreadId, WaitKind Kind, SiteFrame At);

/// <summary>The waits that still go on: those that the hook has seen for a second, and those that a snapshot has seen.</summary>
internal sealed class LiveWaits
{
    private readonly ConcurrentDictionary<LiveWait, bool> _waits = new(ReferenceEqualityComparer.Instance);
    private readonly ConcurrentDictionary<int, LiveWait> _sampled = new();

    public LiveWait Add(LiveWait wait)
    {
        _waits.TryAdd(wait, true);
        return wait;
    }

    public void Remove(LiveWait wait) => _waits.TryRemove(wait, out _);

    /// <summary>Where a snapshot has seen a thread wait. One on each thread; a later one takes its place.</summary>
    public void Sampled(LiveWait wait) => _sampled[wait.OsThreadId] = wait;

    public void RemoveSampled(LiveWait wait) => _sampled.TryRemove(KeyValuePair.Create(wait.OsThreadId, wait));

    /// <summary>Where a request's thread waits; null when it does not, or when nobody has seen where.</summary>
    public LiveWait? Of(RequestProbe probe, int osThreadId)
    {
        foreach (var (wait, _) in _waits)
        {
            if (wait.Probe == probe && wait.OsThreadId == osThreadId)
            {
                return wait;
            }
        }

        return _sampled.TryGetValue(osThreadId, out var sampled) && sampled.Probe == probe ? sampled : null;
    }
}
