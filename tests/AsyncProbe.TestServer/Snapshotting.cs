using System.Diagnostics;
using System.Globalization;
using AsyncProbe.StackSnapshots;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.TestServer;

/// <summary>Takes consecutive stack snapshots of the pool's threads and measures their cost for this process.</summary>
internal static class Snapshotting
{
    public sealed record Costs(double[] Ms, double CpuMs, long Bytes, int Threads, long HeapBytes, long WorkingSetBytes);

    public static Task<Costs> TakeAsync(HttpContext context, int n)
    {
        var source = context.RequestServices.GetRequiredService<IStackSource>();
        var done = new TaskCompletionSource<Costs>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => done.SetResult(Take((SelfStackSource)source, n))) { IsBackground = true, Name = "snapshots" }.UnsafeStart();
        return done.Task;
    }

    /// <summary>The same while no pool thread is free, including this request's: anything that needs one would wait forever.</summary>
    public static Costs TakeWhileStarved(HttpContext context, int n)
    {
        var source = context.RequestServices.GetRequiredService<IStackSource>();
        ThreadPool.GetMaxThreads(out var workers, out _);
        using var held = new CountdownEvent(workers - 1);
        using var release = new ManualResetEventSlim();
        for (var i = 0; i < workers - 1; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    held.Signal();
                    release.Wait();
                },
                null);
        }

        held.Wait();
        Costs? costs = null;
        var taking = new Thread(() => costs = Take((SelfStackSource)source, n)) { IsBackground = true };
        taking.UnsafeStart();
        taking.Join();
        release.Set();
        return costs!;
    }

    private static Costs Take(SelfStackSource source, int n)
    {
        var threads = Directory.EnumerateDirectories("/proc/self/task")
            .Where(task => NameOf(task).StartsWith(".NET TP Worker", StringComparison.Ordinal))
            .Select(task => int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture)).ToHashSet();
        var (times, bytes, found) = (new double[n], SelfSession.BytesRead, 0);
        var cpu = Environment.CpuUsage.TotalTime;
        for (var i = 0; i < n; i++)
        {
            var from = Stopwatch.GetTimestamp();
            found = source.Sample(() => threads, () => { }).Count;
            times[i] = Stopwatch.GetElapsedTime(from).TotalMilliseconds;
        }

        var used = (Environment.CpuUsage.TotalTime - cpu).TotalMilliseconds;
        GC.Collect();
        return new Costs(times, used, SelfSession.BytesRead - bytes, found, GC.GetTotalMemory(forceFullCollection: true), Environment.WorkingSet);
    }

    private static string NameOf(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm"));
        }
        catch (IOException)
        {
            // The thread has ended in the meantime.
            return "";
        }
    }
}
