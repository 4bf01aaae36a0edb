using System.Text.Json;
using AsyncProbe.Tests.Blocking.Catalogue;

namespace AsyncProbe.Tests.Blocking;

/// <summary>Ways to block a known place, and to find it in a report.</summary>
internal static class Waiting
{
    /// <summary>Waits for a task that ends so long after the wait has begun.</summary>
    public static void ForTask(int ms = 100)
    {
        var task = EndsAfter(ms);
        task.Wait();
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

    /// <summary>Asks again until it holds: what is measured appears a moment after the answer.</summary>
    public static async Task EventuallyAsync(Func<Task<bool>> condition, string what)
    {
        var deadline = DateTime.UtcNow + ProbedApp.Timeout;
        while (!await condition())
        {
            (DateTime.UtcNow < deadline).ShouldBeTrue(what);
            await Task.Delay(20);
        }
    }

    // Nothing of it is the request's: neither its context nor its thread.
    private static Task EndsAfter(int ms)
    {
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
}
