using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Peers;

/// <summary>Sends requests on pool threads that each have a core of their own. Linux only.</summary>
internal static partial class PinnedThreads
{
    /// <summary>
    /// How many requests are answered a second. All threads begin together, and only the time in which all of them send counts.
    /// </summary>
    /// <param name="server">The server.</param>
    /// <param name="path">The endpoint, which must answer without leaving its thread.</param>
    /// <param name="requests">How many requests each thread sends at least.</param>
    /// <param name="cores">How many threads send, on the cores from 0.</param>
    public static double RateOf(LoopServer server, string path, int requests, int cores)
    {
        using var start = new Barrier(cores);
        var isOver = 0;
        var senders = Enumerable.Range(0, cores).Select(core => Task.Run(() => Pinned(core, Send))).ToArray();
        return senders.Sum(sender => sender.GetAwaiter().GetResult());

        // A thread that has sent all its requests keeps sending until the others are done, so none of them runs alone at the end.
        double Send()
        {
            var send = server.Connect();
            start.SignalAndWait();
            var begun = Stopwatch.GetTimestamp();
            send(path, requests).GetAwaiter().GetResult();
            var rate = requests / Stopwatch.GetElapsedTime(begun).TotalSeconds;
            Interlocked.Increment(ref isOver);
            while (Volatile.Read(ref isOver) < cores)
            {
                send(path, 10).GetAwaiter().GetResult();
            }

            return rate;
        }
    }

    private static double Pinned(int core, Func<double> run)
    {
        SetAffinity(1UL << core);
        try
        {
            return run();
        }
        finally
        {
            SetAffinity(ulong.MaxValue);
        }
    }

    private static void SetAffinity(ulong cores)
    {
        if (SetAffinity(0, sizeof(ulong), in cores) != 0)
        {
            throw new InvalidOperationException($"The thread can't be pinned to a core (error {Marshal.GetLastPInvokeError()}).");
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint size, in ulong cores);
}
