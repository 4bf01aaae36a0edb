using System.Collections.Concurrent;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Runs posted continuations that no pool thread takes. Without the hook they would have run on the thread that completed their task; if
/// every pool thread waits for one of them, they never would. One thread of its own looks after them, and ends when there are none for a
/// second.
/// </summary>
internal static class HopRescue
{
    // A thread outside the pool would have run the continuation itself, at once.
    private static Duration LateFromOutside => Duration.FromMilliseconds(10);

    // A pool thread would have too, but it comes back to the queue, and the pool grows by itself.
    private static Duration LateFromPool => Duration.FromMilliseconds(100);

    private const int PauseFast = 5;
    private const int PauseSlow = 100;
    private const int MaxThreads = 16;

    private static Duration StaysUpFor => Duration.Second;

    private static readonly object s_gate = new();
    private static readonly ConcurrentQueue<PostedCallback> s_fromOutside = new();
    private static readonly ConcurrentQueue<PostedCallback> s_fromPool = new();
    private static int s_pause = int.MaxValue;
    private static int s_threads;
    private static bool s_isRunning;

    public static void Watch(PostedCallback work)
    {
        var isFromPool = Thread.CurrentThread.IsThreadPoolThread;
        (isFromPool ? s_fromPool : s_fromOutside).Enqueue(work);

        // Either the thread sees the work before it sleeps or ends, or we see that it does.
        Interlocked.MemoryBarrier();
        var pause = isFromPool ? PauseSlow : PauseFast;
        if (Volatile.Read(ref s_pause) > pause)
        {
            Wake(pause);
        }
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

            if (s_isRunning)
            {
                return;
            }

            try
            {
                new Thread(Run) { IsBackground = true, Name = "AsyncProbe hops" }.UnsafeStart();
                s_isRunning = true;
            }
            catch (OutOfMemoryException)
            {
                // No thread to be had. The pool still has the work, and this is an await of the application.
            }
        }
    }

    private static void Run()
    {
        var lastWorkAt = Timestamp.Now();
        while (true)
        {
            var now = Timestamp.Now();
            var hasWork = Look(s_fromOutside, now - LateFromOutside) | Look(s_fromPool, now - LateFromPool);
            lastWorkAt = hasWork ? now : lastWorkAt;
            lock (s_gate)
            {
                s_pause = now - lastWorkAt < StaysUpFor ? PauseSlow : int.MaxValue;
                Interlocked.MemoryBarrier();
                if (!s_fromOutside.IsEmpty)
                {
                    s_pause = PauseFast;
                }
                else if (!s_fromPool.IsEmpty)
                {
                    s_pause = PauseSlow;
                }

                if (s_pause == int.MaxValue)
                {
                    s_isRunning = false;
                    return;
                }

                Monitor.Wait(s_gate, s_pause);
            }
        }
    }

    /// <summary>Forgets what was taken, and runs what is too old; true while something is left.</summary>
    private static bool Look(ConcurrentQueue<PostedCallback> queue, Timestamp lateBefore)
    {
        while (queue.TryPeek(out var work))
        {
            if (!work.IsTaken && (work.PostedAt > lateBefore || !TryRun(work)))
            {
                return true;
            }

            queue.TryDequeue(out _);
        }

        return false;
    }

    private static bool TryRun(PostedCallback work)
    {
        // A continuation may itself hang; the rest is then left to the pool.
        if (!Counter.TryRaise(ref s_threads, MaxThreads))
        {
            return false;
        }

        try
        {
            new Thread(static work => Run((PostedCallback)work!)) { IsBackground = true, Name = "AsyncProbe hop" }.UnsafeStart(work);
            return true;
        }
        catch (OutOfMemoryException)
        {
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
