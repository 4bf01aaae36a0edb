using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>Each call of a hub method over a WebSocket is a separate operation, from SignalR's own activities.</summary>
public sealed class HubTests
{
    private const string Hub = "Microsoft.AspNetCore.SignalR.Server: AsyncProbe.Tests.Requests.Operations.LiveHub";

    [Fact]
    public async Task HubCall_IsAnOperation_AndNoPartOfItsConnection()
    {
        await using var app = await StartAsync();
        await CallAsync(app, "Blocks", 6);

        var row = await app.OperationAsync($"{Hub}/Blocks", 6);
        row.Count("requests").ShouldBe(6);
        row.Ms("blockedMs").ShouldBeGreaterThan(0);
        row.GetProperty("advice").GetString().ShouldNotBeNull().ShouldNotContain("request");
        (await app.EndpointAsync("GET /hub")).Ms("blockedMs").ShouldBeLessThan(row.Ms("blockedMs"));
    }

    [Fact]
    public async Task BlockingMethod_IsNamedWithItsLine_AndItsAwaitedTwinIsSilent()
    {
        await using var app = await StartAsync();
        await CallAsync(app, "Blocks", 3);
        await CallAsync(app, "Awaits", 3);
        await app.OperationAsync($"{Hub}/Awaits", 3);
        await app.OperationAsync($"{Hub}/Blocks", 3);

        var site = (await app.SitesAsync($"{Hub}/Blocks")).ShouldHaveSingleItem();
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
        site.GetProperty("at").GetString().ShouldBe("LiveHub.Blocks");
        site.GetProperty("file").GetString().ShouldNotBeNull().ShouldEndWith("LiveHub.cs");
        site.GetProperty("line").GetInt32().ShouldBe(LiveHub.LineOfWait);
        site.Count("count").ShouldBeGreaterThan(0);
        (await app.SitesAsync($"{Hub}/Awaits")).ShouldBeEmpty();
    }

    // A waiting poll carries the hook as well, and on two cores at most two requests may: there may be none left for the first calls.
    [Fact]
    public async Task CallOverLongPolling_IsAnOperation_WithTheLineOfItsWait()
    {
        await using var app = await StartAsync();
        await using var client = await PollingHubClient.ConnectAsync(app.Address, "/hub");

        var sites = await BlockUntilSeenAsync(app, client);

        sites[0].GetProperty("kind").GetString().ShouldBe("Task.Wait");
        sites[0].GetProperty("at").GetString().ShouldBe("LiveHub.Blocks");
        sites[0].GetProperty("line").GetInt32().ShouldBe(LiveHub.LineOfWait);
    }

    // Each call follows a blocking one that was seen, so a hook was available.
    [Fact]
    public async Task AwaitedTwinOverLongPolling_IsSilent()
    {
        const int Calls = 5;
        await using var app = await StartAsync();
        await using var client = await PollingHubClient.ConnectAsync(app.Address, "/hub");

        for (var i = 0; i < Calls; i++)
        {
            await BlockUntilSeenAsync(app, client);
            (await client.InvokeAsync("Awaits", i)).ShouldBe(i);
        }

        var row = await app.OperationAsync($"{Hub}/Awaits", Calls);
        row.Count("requests").ShouldBe(Calls);
        row.GetProperty("segmentsPerRequest").GetDouble().ShouldBeGreaterThanOrEqualTo(2, "each call leaves its thread while it waits");
        row.Ms("blockedMs").ShouldBeLessThan(Calls * Waiting.LongEnoughMs / 2.0, "its waits hold no thread");
        (await app.SitesAsync($"{Hub}/Awaits")).ShouldBeEmpty();
    }

    [Fact]
    public async Task AllowBlocking_OnAHubMethod_HoldsForItsCalls()
    {
        await using var app = await StartAsync();
        await CallAsync(app, "Allowed", 2);
        var row = await app.OperationAsync($"{Hub}/Allowed", 2);

        row.Ms("allowedMs").ShouldBe(row.Ms("blockedMs"), 0.01);
        (await app.SitesAsync($"{Hub}/Allowed")).ShouldAllBe(s => s.GetProperty("allowed").GetString() == "the device has no other way");
    }

    private static async Task<JsonElement[]> BlockUntilSeenAsync(ProbedApp app, PollingHubClient client)
    {
        JsonElement[] sites = [];
        await Eventually.TrueAsync(
            async () =>
            {
                (await client.InvokeAsync("Blocks", 2)).ShouldBe(2);
                return (sites = await app.SitesAsync($"{Hub}/Blocks")).Length > 0;
            },
            "no call has a site");
        return sites;
    }

    private static async Task CallAsync(ProbedApp app, string method, int times)
    {
        await using var client = await HubClient.ConnectAsync(app.Address, "/hub");
        for (var i = 0; i < times; i++)
        {
            (await client.InvokeAsync(method, i)).ShouldBe(i);
        }
    }

    private static Task<ProbedApp> StartAsync() =>
        ProbedApp.StartAsync(a => a.MapHub<LiveHub>("/hub"), configure: b => b.Services.AddSignalR());
}
