using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Waits;

/// <summary>Records the waits of one host's requests under their call sites.</summary>
internal sealed class WaitRecorder(BlockingSites sites, Frames frames) : IWaitSink
{
    // When the calling thread's last recorded wait ended. If EF Core reports the same time, it isn't recorded twice.
    [ThreadStatic]
    private static Timestamp t_lastRecordedAt;

    [ThreadStatic]
    private static Duration t_blockedAtLocks;

    private readonly long[] _counts = new long[Enum.GetValues<WaitKind>().Length];
    private readonly long[] _uncounted = new long[Enum.GetValues<WaitKind>().Length];

    /// <summary>When the calling thread's last recorded wait for something other than a lock ended.</summary>
    public static Timestamp LastRecordedAt => t_lastRecordedAt;

    /// <summary>
    /// How long the calling thread has been blocked at locks in its whole life, as far as recorded. These waits are recorded separately
    /// from a command around them.
    /// </summary>
    public static Duration BlockedAtLocks => t_blockedAtLocks;

    public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) =>
        Attribute(stack, probe, isInCatch: null) is { } blame
            ? new LiveWait(probe, osThreadId, blame.Kind, blame.ToSiteFrame(frames))
            : null;

    public void End(Duration blocked, StackTrace stack)
    {
        if (ThreadSlots.Mine?.Probe is { } probe)
        {
            End(probe, blocked, stack);
        }
    }

    /// <summary>Records a wait of the calling thread that has ended.</summary>
    /// <param name="probe">The request that waited.</param>
    /// <param name="blocked">How long the thread was blocked in it.</param>
    /// <param name="stack">The stack of the calling thread.</param>
    /// <param name="provider">The database provider, if it is synchronous inside and no longer on the stack.</param>
    public void End(RequestProbe probe, Duration blocked, StackTrace stack, SynchronousProvider? provider = null)
    {
        if (Attribute(stack, probe, HandledException.IsOnThisThread()) is { } blame)
        {
            Record(probe, blame, blocked, stack, provider);
        }
    }

    /// <summary>The number of waits of a kind since the last reset.</summary>
    public long Count(WaitKind kind) => Volatile.Read(ref _counts[(int)kind]);

    /// <summary>Resets the counts. Waits that the meter hasn't received so far are still delivered.</summary>
    public void Reset() => Array.Clear(_counts);

    /// <summary>
    /// Passes the waits since the last call on to the metrics. Don't call it on the blocking thread: a meter's listeners are foreign code,
    /// and the thread may hold the user's lock.
    /// </summary>
    /// <param name="count">Receives the kind and the number of waits.</param>
    public void TakeCounts(Action<WaitKind, long> count)
    {
        for (var kind = 0; kind < _uncounted.Length; kind++)
        {
            if (Interlocked.Exchange(ref _uncounted[kind], 0) is > 0 and var waits)
            {
                count((WaitKind)kind, waits);
            }
        }
    }

    public void Record(RequestProbe probe, BlameFrame blame, Duration blocked, StackTrace stack, SynchronousProvider? provider = null)
    {
        var waits = probe.WaitsOrNew();
        var site = sites.GetOrAdd(blame, WaitPermission.ReasonHere(probe.Totals?.AllowReason), stack, frames);
        site.Provider ??= provider;
        if (probe.HasEnded)
        {
            var late = EndpointOf(probe) + RowNames.AfterResponse;
            site.Add(blocked, late, sites.Keep(site, late, stack, frames));
            waits.AddLate(blocked);
        }
        else
        {
            AddTo(probe, waits, site, blocked, stack);
            waits.Add(blocked, site);
        }

        waits.NoteWriter(site, Timestamp.Now());
        Remember(site.StackKind, blocked);
        Interlocked.Increment(ref _counts[(int)site.StackKind]);
        Interlocked.Increment(ref _uncounted[(int)site.StackKind]);
        if (waits.Activity is { IsAllDataRequested: true, IsStopped: false } activity && site.At is { } at && waits.MayAddEvent())
        {
            AddEvent(activity, site.StackKind, at, blocked);
        }
    }

    private static void Remember(WaitKind kind, Duration blocked)
    {
        if (kind == WaitKind.Lock)
        {
            t_blockedAtLocks += blocked;
        }
        else
        {
            t_lastRecordedAt = Timestamp.Now();
        }
    }

    private BlameFrame? Attribute(StackTrace stack, RequestProbe probe, bool? isInCatch) =>
        BlameFrame.Find(stack, frames, probe.Totals?.Handler, isInCatch);

    // A wait before routing belongs to the endpoint that routing then finds.
    private void AddTo(RequestProbe probe, RequestWaits waits, BlockingSite site, Duration blocked, StackTrace stack)
    {
        if (probe.Totals is not null || !waits.TryKeep(blocked, site))
        {
            var endpoint = EndpointOf(probe);
            site.Add(blocked, endpoint, sites.Keep(site, endpoint, stack, frames), probe.IsCold);
        }
        else if (probe.Totals is { } found)
        {
            // The endpoint was found a moment ago, perhaps before there was anything to count.
            waits.Attribute(found);
        }
    }

    private static string EndpointOf(RequestProbe probe) => probe.Totals?.Endpoint ?? RowNames.Unmatched;

    // The event has no file and line; those are looked up outside the request. No foreign code runs here: listeners get the span after it
    // has ended.
    private static void AddEvent(Activity activity, WaitKind kind, SiteFrame at, Duration blocked) =>
        activity.AddEvent(new ActivityEvent("asyncprobe.blocked", tags: new ActivityTagsCollection
        {
            [WaitTags.Kind] = kind.Name(),
            [WaitTags.Method] = at.OnStack.FullName,
            [WaitTags.Duration] = blocked.ToMilliseconds() / 1000,
        }));
}
