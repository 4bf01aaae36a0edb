using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>The slots of all living threads that ever ran a probed request. Adding takes no lock; only the watcher removes.</summary>
internal static class ThreadSlots
{
    [ThreadStatic]
    private static ThreadSlot? t_mine;

    private static readonly Lock s_removing = new();

    private static ThreadSlot? s_first;

    /// <summary>The calling thread's slot, or null if it never ran a probed request.</summary>
    public static ThreadSlot? Mine => t_mine;

    /// <summary>The calling thread's slot, created once per thread.</summary>
    public static ThreadSlot GetOrAdd() => t_mine ?? Add(Thread.CurrentThread.IsThreadPoolThread);

    /// <summary>
    /// Counts the calling thread as a pool thread. It is a new thread outside the pool that runs work the pool didn't get to.
    /// </summary>
    public static void AddSubstitute() => Add(isPoolThread: true);

    public static ThreadSlot? First => Volatile.Read(ref s_first);

    /// <summary>All of them, for code that may allocate. Other code follows the slots from <see cref="First"/> on.</summary>
    public static IEnumerable<ThreadSlot> All
    {
        get
        {
            for (var slot = First; slot is not null; slot = slot.Next)
            {
                yield return slot;
            }
        }
    }

    /// <summary>The pool threads that currently run a request or an operation, by the operating system's ids.</summary>
    public static int CountClaimed(ICollection<int>? ids = null)
    {
        var (now, count) = (Timestamp.Now(), 0);
        foreach (var slot in All)
        {
            if (slot.IsPoolThread && slot.Probe is { } probe && probe.IsClaiming(now) && slot.IsThreadAlive)
            {
                ids?.Add(slot.OsThreadId);
                count++;
            }
        }

        return count;
    }

    /// <summary>
    /// Removes the slots of ended threads and closes their files: thread ids are reused, and a process may start and end thousands of
    /// threads. If two callers arrive at the same time, such as a watcher that is ending and the next one, the second has nothing to do.
    /// New slots are added at the head, which is never unlinked.
    /// </summary>
    public static void RemoveEnded()
    {
        if (!s_removing.TryEnter())
        {
            return;
        }

        try
        {
            Remove();
        }
        finally
        {
            s_removing.Exit();
        }
    }

    private static void Remove()
    {
        for (var previous = First; previous?.Next is { } slot;)
        {
            if (slot.IsThreadAlive)
            {
                previous = slot;
            }
            else
            {
                previous.Next = slot.Next;
                slot.Release();
            }
        }
    }

    private static ThreadSlot Add(bool isPoolThread)
    {
        var slot = new ThreadSlot(isPoolThread ? ThreadIdentity.OfCurrentThread() : ThreadIdentity.Unknown, isPoolThread);
        ThreadSlot? first;
        do
        {
            first = Volatile.Read(ref s_first);
            slot.Next = first;
        }
        while (Interlocked.CompareExchange(ref s_first, slot, first) != first);

        t_mine = slot;
        return slot;
    }
}
