using System.Text.Json;
using AsyncProbe.Tests.Blocking.Catalogue;

namespace AsyncProbe.Tests.Blocking;

/// <summary>Ways to block at a known place, and to find that place in a report.</summary>
internal static class Waiting
{
    /// <summary>
    /// Wait spins some 25 times before it blocks, and on a crowded machine each spin gives its core away for milliseconds. This is long
    /// enough that some blocked time remains.
    /// </summary>
    public const int LongEnoughMs = 300;

    /// <summary>Waits for a task that ends this long after the wait has begun.</summary>
    public static void ForTask(int ms = 100)
    {
        var task = TaskToWaitFor(ms);
        task.Wait();
    }

    /// <summary>A task that ends this long after the calling thread has begun to wait for it.</summary>
    public static Task TaskToWaitFor(int ms = 100)
    {
        // What follows uses neither the request's context nor its thread.
        var waiter = Waiter.Here();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ThreadPool.UnsafeQueueUserWorkItem(
            async _ =>
            {
                await waiter.AwaitItsWaitAsync();
                await Task.Delay(ms);
                done.SetResult();
            },
            null);
        return done.Task;
    }

    public static void AtAGate(SemaphoreSlim gate) => gate.Wait();

    public static async Task<JsonElement[]> SitesAsync(this ProbedApp app, string? endpoint = null) =>
        [.. (await app.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Where(s => endpoint is null || s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == endpoint))];

    public static async Task GetManyAsync(this ProbedApp app, string path, int times)
    {
        for (var i = 0; i < times; i++)
        {
            using var response = await app.GetAsync(path);
            response.EnsureSuccessStatusCode();
        }
    }
}
