using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.TruthServer;

/// <summary>
/// Does things after a while, on its own thread outside any request. It polls every millisecond instead of being woken, so that
/// callers neither take a lock nor signal anything: they must not wait anywhere except where the truth says.
/// </summary>
public static class Later
{
    private static readonly ConcurrentQueue<(long At, Action Act)> s_asked = new();

    public static bool Ready => true;

    static Later()
    {
        new Thread(Run) { IsBackground = true, Name = "Later" }.UnsafeStart();
    }

    public static void Do(int ms, Action act) => s_asked.Enqueue((Stopwatch.GetTimestamp() + (ms * Stopwatch.Frequency / 1000), act));

    private static void Run()
    {
        List<(long At, Action Act)> waiting = [];
        while (true)
        {
            while (s_asked.TryDequeue(out var asked))
            {
                waiting.Add(asked);
            }

            var now = Stopwatch.GetTimestamp();
            foreach (var due in waiting.Where(w => w.At <= now).ToList())
            {
                waiting.Remove(due);
                due.Act();
            }

            Thread.Sleep(1);
        }
    }
}
