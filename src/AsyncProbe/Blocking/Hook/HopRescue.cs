using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Runs posted continuations that no pool thread takes. Without the hook, the thread that completed their task would have run them. If
/// every pool thread waits for one of them, they would never run. Each continuation occupies a place in an array until it runs, so that
/// awaits share no queue and no lock. One thread checks the places, and ends when nothing was posted for a second.
/// </summary>
internal static class HopRescue
{
    public const int NoPlace = -1;

    // Without the hook, a thread outside the pool would have run the continuation itself, at once.
    private static Duration LateFromOutside => Duration.FromMilliseconds(10);

    // A pool thread would have done the same, but it returns to the queue, and the pool grows by itself.
    private static Duration LateFromPool => Duration.FromMilliseconds(100);

    private const int PauseFast = 5;
    private const int PauseSlow = 100;
    private const int MaxThreads = 16;

    // A power of two, and far more than the continuations that armed requests usually have in flight.
    private const int Places = 256;
    private const int Tries = 8;

    private static Duration StaysUpFor => Duration.Second;

    // How often the time of the last post is updated. If every post wrote it, all awaits would contend on it.
    private static Duration NotedEvery => Duration.FromMilliseconds(100);

    private static readonly object s_gate = new();
    private static readonly PostedCallback?[] s_places = new PostedCallback?[Places];

    [ThreadStatic]
    private static int t_next;

    private static PostedCallback? s_crowd;
    private static Timestamp s_postedFromOutsideAt;
    private static Timestamp s_postedFromPoolAt;
    private static int s_pause = int.MaxValue;
    private static int s_threads;
    private static OwnThread? s_thread;

    /// <summary>Watches a continuation that is about to be queued.</summary>
    public static void Watch(PostedCallback work)
    {
        Note(work);
        if (!TryPlace(work))
        {
            Push(work);
        }

        // Either the thread sees the work before it sleeps or ends, or we see that it is about to.
        Interlocked.MemoryBarrier();
        var pause = work.IsFromPool ? PauseSlow : PauseFast;
        if (Volatile.Read(ref s_pause) > pause)
        {
            Wake(pause);
        }
    }

    /// <summary>Stops watching a continuation, which runs now.</summary>
    public static void Forget(PostedCallback work)
    {
        if (work.Place is not NoPlace and var place)
        {
            // The rescue thread may have freed the place already, and another continuation may have taken it.
            Interlocked.CompareExchange(ref s_places[place], null, work);
        }
    }

    private static void Note(PostedCallback work)
    {
        ref var noted = ref (work.IsFromPool ? ref s_postedFromPoolAt : ref s_postedFromOutsideAt);
        if (work.PostedAt - Counter.Read(ref noted) > NotedEvery)
        {
            Counter.Write(ref noted, work.PostedAt);
        }
    }

    private static bool TryPlace(PostedCallback work)
    {
        // Threads start far apart, and each cycles through the places.
        var first = (Environment.CurrentManagedThreadId * (Tries + 1)) + t_next++;
        for (var i = 0; i < Tries; i++)
        {
            var place = (first + (i * Tries)) & (Places - 1);
            if (Volatile.Read(ref s_places[place]) is null && Interlocked.CompareExchange(ref s_places[place], work, null) is null)
            {
                work.Place = place;
                return true;
            }
        }

        return false;
    }

    // Used when every place that was tried is taken by a continuation that still waits for a thread.
    private static void Push(PostedCallback work)
    {
        PostedCallback? first;
        do
        {
            first = Volatile.Read(ref s_crowd);
            work.Next = first;
        }
        while (Interlocked.CompareExchange(ref s_crowd, work, first) != first);
    }

    private static void Wake(int pause)
    {
        lock (s_gate)
        {
            if (s_pause > pause)
            {
                s_pause = pause;
                Monitor.Pulse(s_gate);
            }

            if (s_thread is { HasEnded: false })
            {
                return;
            }

            try
            {
                s_thread = OwnThread.StartLasting(OwnThreadRole.Hops, Run);
            }
            catch (Exception)
            {
                // The pool still gets the work, and this is an await of the application, so don't throw. The next post tries again.
                s_pause = int.MaxValue;
                Faults.NoteQuietly();
            }
        }
    }

    private static void Run()
    {
        while (true)
        {
            var now = Timestamp.Now();
            RunLate(now);
            lock (s_gate)
            {
                s_pause = int.MaxValue;
                Interlocked.MemoryBarrier();
                s_pause = PauseFor(now);
                if (s_pause == int.MaxValue)
                {
                    s_thread = null;
                    return;
                }

                Monitor.Wait(s_gate, s_pause);
            }
        }
    }

    // While posts keep coming, the thread keeps their pace. If it slowed down and had to be woken for each post, the posters would contend
    // on the lock.
    private static int PauseFor(Timestamp now)
    {
        var (hasFromOutside, hasFromPool) = Look();
        return hasFromOutside || now - Counter.Read(ref s_postedFromOutsideAt) < StaysUpFor ? PauseFast
            : hasFromPool || now - Counter.Read(ref s_postedFromPoolAt) < StaysUpFor ? PauseSlow
            : int.MaxValue;
    }

    private static (bool FromOutside, bool FromPool) Look()
    {
        var (fromOutside, fromPool) = (false, false);
        for (var place = 0; place < Places; place++)
        {
            Add(Volatile.Read(ref s_places[place]));
        }

        for (var work = Volatile.Read(ref s_crowd); work is not null; work = work.Next)
        {
            Add(work);
        }

        return (fromOutside, fromPool);

        void Add(PostedCallback? work)
        {
            fromOutside |= work is { IsTaken: false, IsFromPool: false };
            fromPool |= work is { IsTaken: false, IsFromPool: true };
        }
    }

    private static void RunLate(Timestamp now)
    {
        for (var place = 0; place < Places; place++)
        {
            if (Volatile.Read(ref s_places[place]) is { } work && !IsOpen(work, now))
            {
                // Its own thread may have been preempted before it recorded the place.
                Interlocked.CompareExchange(ref s_places[place], null, work);
            }
        }

        var crowd = Volatile.Read(ref s_crowd) is null ? null : Interlocked.Exchange(ref s_crowd, null);
        while (crowd is { } work)
        {
            crowd = work.Next;
            work.Next = null;
            if (IsOpen(work, now))
            {
                Push(work);
            }
        }
    }

    /// <summary>Runs the continuation if it is late. True while a thread still has to run it.</summary>
    private static bool IsOpen(PostedCallback work, Timestamp now) =>
        !work.IsTaken && (now - work.PostedAt < (work.IsFromPool ? LateFromPool : LateFromOutside) || !TryRun(work));

    private static bool TryRun(PostedCallback work)
    {
        // A continuation may itself hang. Beyond this many threads, the rest is left to the pool.
        if (!Counter.TryRaise(ref s_threads, MaxThreads))
        {
            return false;
        }

        try
        {
            OwnThread.StartOnce(OwnThreadRole.Hop, () => Run(work));
            return true;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            Interlocked.Decrement(ref s_threads);
            return false;
        }
    }

    private static void Run(PostedCallback work)
    {
        try
        {
            if (!work.IsTaken)
            {
                ThreadSlots.AddSubstitute();
                work.Execute();
            }
        }
        finally
        {
            Interlocked.Decrement(ref s_threads);
        }
    }
}
