using System.Text.Json;

namespace AsyncProbe.Stories.Tests.SyncVsAsync;

/// <summary>Requests that spend two seconds in the database, on eight threads.</summary>
public sealed class SyncVsAsyncTests
{
    [Fact]
    public async Task Sync_UsesUpThePool_WhenThereAreTwiceAsManyClientsAsThreads()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:MaxWorkerThreads", "8");
        await ThreadsLeft.ShowAsync(sample);
    }
}

/// <summary>The story itself, which the PostgreSQL tests share.</summary>
internal static class ThreadsLeft
{
    private const int Clients = 16;

    public static async Task ShowAsync(SampleProcess sample)
    {
        (await MostlyAsync(sample, "/api/syncvasync/async")).ShouldBeGreaterThan(0);
        (await MostlyAsync(sample, "/api/syncvasync/sync")).ShouldBe(0);
    }

    // The median: after a stall several answers come at the same instant, and use threads for that instant.
    private static async Task<int> MostlyAsync(SampleProcess sample, string path)
    {
        // Once for the JIT, then one after another: sixteen simultaneous answers would briefly use all threads.
        await sample.TextAsync(path);
        var answers = await Task.WhenAll(Enumerable.Range(0, Clients).Select(async i =>
        {
            await Task.Delay(i * 60);
            return await sample.TextAsync(path);
        })).WaitAsync(TestApp.Timeout);
        return answers.Select(answer => JsonDocument.Parse(answer).RootElement.GetProperty("availableWorkerThreads").GetInt32()).Order()
            .ElementAt(Clients / 2);
    }
}
