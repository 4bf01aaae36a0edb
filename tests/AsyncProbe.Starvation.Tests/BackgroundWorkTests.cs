using System.Text.Json;

namespace AsyncProbe.Starvation.Tests;

/// <summary>Pools that are really starved by work that is neither a request nor an operation, each in its own process.</summary>
[SideBySide]
public sealed class BackgroundWorkTests
{
    // Work that belongs to neither a request nor an operation.
    [Fact]
    public async Task Log_SaysThatNoRequestHoldsTheThreads_WhenBackgroundWorkStarvesThePool()
    {
        await using var server = await WarmServer.StartAsync("/plain", "--environment", "Development");
        server.Start("/occupy?items=200&ms=500&seconds=60");

        var line = await server.LineAsync("The thread pool is starved, cause blocked");

        line.ShouldContain("run neither a request nor an operation, and ");
        line.ShouldContain("AsyncProbeOperation.Start");
        line.ShouldNotContain("are blocked in");
    }

    // The page asks the lifeline while the pool is starved, and shows this sentence.
    [Fact]
    public async Task Lifeline_SaysThatNoRequestHoldsTheThreads_WhileBackgroundWorkStarvesThePool()
    {
        var port = FreePort.Take();
        await using var server = await WarmServer.StartAsync("/plain", "--environment", "Development", "--AsyncProbe:LifelinePort", $"{port}");
        using var lifeline = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        server.Start("/occupy?items=200&ms=500&seconds=60");

        JsonElement pool = default;
        await Eventually.TrueAsync(
            async () =>
            {
                using var report = JsonDocument.Parse(await lifeline.GetStringAsync(new Uri("/", UriKind.Relative)));
                pool = report.RootElement.GetProperty("pool").Clone();
                return pool.GetProperty("state").GetString() == "starved"
                    && pool.GetProperty("unclaimed").GetProperty("busy").GetInt32() > 1
                    && pool.GetProperty("advice").GetString()?.Contains("run neither a request nor an operation", StringComparison.Ordinal) == true;
            },
            () => $"the lifeline says {pool}");
    }

    [Fact]
    public async Task Log_NamesTheLine_WhereBackgroundWorkStarvesThePool_WithStackSnapshots()
    {
        await using var server = await WarmServer.StartAsync("/plain", "--environment", "Development", "--snapshots", "true");
        server.Start("/occupy?items=200&ms=500&seconds=60");

        var line = await server.LineAsync("most of those that were looked at are at Occupation.Execute (Occupation.cs:");

        line.ShouldContain("run neither a request nor an operation");
    }
}
