using System.Diagnostics;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>Books the waits of one host's requests under their call sites.</summary>
internal sealed class WaitRecorder(BlockingSites sites, Frames frames, LiveWaits live) : IWaitSink
{
    // When the calling thread's last booked wait ended: what EF Core tells of the same time is not booked twice.
    [ThreadStatic]
    private static long t_lastBookedAt;

    /// <summary>Called for each booked wait, on the blocking thread: for the metrics.</summary>
    public Action<WaitKind>? Booked { get; set; }

    /// <summary>Where the calling thread's last booked wait ended, on the clock of <see cref="Nanoseconds.Now"/>.</summary>
    public static long LastBookedAt => t_lastBookedAt;

    public object? OnLong(StackTrace stack)
    {
        if (ThreadSlots.Mine is not { Probe: { } probe } slot || BlameFrame.Find(stack, frames, probe.Totals?.Handler) is not { } blame)
        {
            return null;
        }

        return live.Add(new LiveWait(probe, slot.OsThreadId, blame.Kind, blame.Place(frames)));
    }

    public void OnEnded(long duration, StackTrace stack, object? ofLong)
    {
        if (ofLong is LiveWait wait)
        {
            live.Remove(wait);
        }

        if (ThreadSlots.Mine?.Probe is { } probe && BlameFrame.Find(stack, frames, probe.Totals?.Handler) is { } blame)
        {
            Book(probe, blame, duration, stack);
        }
    }

    public void Book(RequestProbe probe, BlameFrame blame, long duration, StackTrace stack)
    {
        var waits = probe.WaitsOrNew();
        var site = sites.Of(blame, BlockingScope.ReasonHere(probe.Totals?.AllowReason), stack, frames);
        var endpoint = probe.Totals?.Endpoint ?? EndpointName.Unmatched;
        if (probe.HasEnded)
        {
            site.Add(duration, endpoint + " (after response)");
        }
        else
        {
            site.Add(duration, endpoint);
            waits.Add(duration, site);
        }

        t_lastBookedAt = Nanoseconds.Now();
        Tell(waits.Activity, site, duration);
        Booked?.Invoke(site.StackKind);
    }

    private static void Tell(Activity? activity, BlockingSite site, long duration)
    {
        if (activity is not { IsAllDataRequested: true, IsStopped: false } || site.At is not { } at)
        {
            return;
        }

        // Without file and line: those are looked up off the request.
        activity.AddEvent(new ActivityEvent("asyncprobe.blocked", tags: new ActivityTagsCollection
        {
            ["asyncprobe.kind"] = site.StackKind.Name(),
            ["asyncprobe.at"] = at.OnStack.ShortName,
            ["asyncprobe.duration_ms"] = Nanoseconds.ToMilliseconds(duration),
        }));
    }
}
