using System.Collections.Concurrent;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>A wait that goes on, so that a hang has a name while it lasts.</summary>
internal sealed record LiveWait(RequestProbe Probe, int OsThreadId, WaitKind Kind, SiteFrame At);

/// <summary>The waits that have lasted a second and still go on.</summary>
internal sealed class LiveWaits
{
    private readonly ConcurrentDictionary<LiveWait, bool> _waits = new(ReferenceEqualityComparer.Instance);

    public LiveWait Add(LiveWait wait)
    {
        _waits.TryAdd(wait, true);
        return wait;
    }

    public void Remove(LiveWait wait) => _waits.TryRemove(wait, out _);

    /// <summary>Where a request's thread waits; null when it does not, or when no managed wait holds it.</summary>
    public LiveWait? Of(RequestProbe probe, int osThreadId)
    {
        foreach (var (wait, _) in _waits)
        {
            if (wait.Probe == probe && wait.OsThreadId == osThreadId)
            {
                return wait;
            }
        }

        return null;
    }
}
