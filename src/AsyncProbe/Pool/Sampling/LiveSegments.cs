using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Pool.Sampling;

/// <summary>An immutable list of the segments that have been open for a while, longest first.</summary>
internal sealed record LiveSegments(IReadOnlyList<LiveSegment> All)
{
    /// <summary>
    /// How many threads a look asks whether they want to run, which costs a few microseconds each. The rest count as blocked.
    /// </summary>
    public const int MostAsked = 64;

    // There are many shorter ones, and they show nothing useful: most of them aren't waiting for anything.
    private static Duration Visible => Duration.FromMilliseconds(10);

    private static Duration LongSegment => Duration.FromMilliseconds(100);

    public static LiveSegments None { get; } = new([]);

    public int Blocked { get; } = All.Count(s => s.IsBlocked);

    /// <summary>The segments worth a row; shorter ones come and go between two looks.</summary>
    public IEnumerable<LiveSegment> Long => All.TakeWhile(s => s.Held >= LongSegment);

    /// <summary>Looks at every thread. Only for the watcher's thread, because the slots keep the last look.</summary>
    public static LiveSegments Look()
    {
        if (ThreadClock.IsWithdrawn)
        {
            return None;
        }

        List<LiveSegment>? found = null;
        var now = Timestamp.Now();
        foreach (var slot in ThreadSlots.All)
        {
            var startedAt = slot.StartedAt;
            if (slot.Probe is { } probe && now - startedAt >= Visible && slot.StartedAt == startedAt)
            {
                (found ??= []).Add(LookAt(slot, probe, startedAt, now));
            }
        }

        found?.Sort((a, b) => b.Held.CompareTo(a.Held));
        return found is null ? None : new LiveSegments(found);
    }

    private static LiveSegment LookAt(ThreadSlot slot, RequestProbe probe, Timestamp startedAt, Timestamp now)
    {
        var ran = slot.RunNow();
        var last = slot.LastLook;
        var isHooked = slot.Armed is not null;
        var ranUntilNow = ran?.CpuAndCpuWait ?? Duration.Zero;
        var isFirst = last?.SegmentStartedAt != startedAt;
        slot.LastLook = new ThreadLook(
            startedAt, now, ranUntilNow, isFirst ? startedAt : last!.CpuAndCpuWait == ranUntilNow ? last.IdleSince : now, isHooked);

        // Judge a segment seen before by what it did since then: it may have worked for a second and be blocked now.
        var (since, before) = isFirst ? (startedAt, slot.RunAtStart) : (last!.At, last.CpuAndCpuWait);
        var isBlocked = ran is { } r && now > since && r.CpuAndCpuWait - before < (now - since) / 2;
        var wait = slot.Wait;
        var isWatched = isHooked && !isFirst && last!.IsHooked;
        return new LiveSegment(
            probe, slot.OsThreadId, now - startedAt, ran is { } cpu ? (cpu.Cpu - slot.CpuAtStart).OrZero() : null, isBlocked)
        {
            Wait = wait,
            IsUnmanaged = isBlocked && isWatched && wait is null && slot.WaitEndedAt < since,
            Slot = slot,
            StartedAt = startedAt,
        };
    }
}
