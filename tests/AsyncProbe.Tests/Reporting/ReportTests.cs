using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Reporting;

public sealed class ReportTests
{
    // Waiting for a task spins first, and on a crowded machine may spin until the task has ended.
    private static readonly ManualResetEvent s_never = new(false);

    [Fact]
    public async Task Report_HasTheContractsShape()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/plain", () => "plain"));
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");

        var report = await app.ReportAsync();

        Names(report).ShouldBe(["schema", "process", "pool", "endpoints", "operations", "sites", "now", "probe"]);
        Names(report.GetProperty("process")).ShouldBe(
            ["host", "name", "version", "id", "processorCount", "runtime", "os", "cpuLimit", "startedAt", "uptimeMs", "cpuMs", "gcPauseMs",
                "requestOverheadMs", "workingSetBytes", "gcHeapBytes"]);
        Names(report.GetProperty("pool")).ShouldBeSubsetOf(
            ["workers", "io", "threads", "pending", "completed", "queueDelayMs", "queueDelayMaxMs", "unclaimed", "state", "cause", "since",
                "advice", "doNow", "history"]);
        Names(report.GetProperty("endpoints")[0]).ShouldBe(
        [
            "endpoint", "requests", "inFlight", "failed", "aborted", "fromCache", "heldMs", "cpuMs", "blockedMs", "blockedRequests",
            "blockedSquaresMs2", "allowedMs", "cpuWaitMs", "gcMs", "blockedInGcMs",
            "afterResponseMs", "segmentsPerRequest", "durationMs", "recent", "ceilingPerSecond", "verdict", "collecting", "advice", "help",
            "explained",
        ]);
        Names(report.GetProperty("pool").GetProperty("unclaimed")).ShouldBe(["busy", "sites"]);
        report.GetProperty("schema").GetInt32().ShouldBe(1);
        report.GetProperty("pool").GetProperty("io").GetProperty("constant").GetBoolean().ShouldBeTrue();
    }

    // Once it said "healthy" and gave a queue delay of 0, which nothing had measured.
    [Fact]
    public async Task Pool_HasNeitherStateNorFigures_WhenNothingWatchesIt()
    {
        await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:Enabled"] = "false");

        var pool = (await app.ReportAsync()).GetProperty("pool");

        string[] measured = ["threads", "pending", "completed", "queueDelayMs", "queueDelayMaxMs", "state", "cause", "since"];
        measured.Where(name => pool.GetProperty(name).ValueKind != JsonValueKind.Null).ShouldBeEmpty();
        pool.GetProperty("workers").GetProperty("busy").ValueKind.ShouldBe(JsonValueKind.Null);
        pool.GetProperty("unclaimed").GetProperty("busy").ValueKind.ShouldBe(JsonValueKind.Null);
        pool.GetProperty("workers").GetProperty("max").GetInt32().ShouldBePositive();
    }

    [Fact]
    public async Task Report_IsNeverStored_AndNeverCounted()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var response = await app.GetAsync("/_threadpool");

        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/json");
        response.Headers.Contains("X-AsyncProbe-Held-Ms").ShouldBeFalse();
        (await app.ReportAsync()).EndpointNames().ShouldBeEmpty();
    }

    [Fact]
    public async Task Filter_KeepsTheEndpointsThatHoldTheText()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/orders", () => "orders");
            a.MapGet("/customers", () => "customers");
        });
        await app.GetAsync("/orders");
        await app.GetAsync("/customers");
        await app.EndpointAsync("GET /customers");

        var json = await app.Client.GetStringAsync(new Uri("/_threadpool?endpoint=ORDERS", UriKind.Relative));

        JsonDocument.Parse(json).RootElement.EndpointNames().ShouldBe(["GET /orders"]);
    }

    [Fact]
    public async Task Reset_StartsTheCountsAnew()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/plain", () => "plain"));
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");

        (await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        (await app.ReportAsync()).EndpointNames().ShouldBeEmpty();

        await app.GetAsync("/plain");
        (await app.EndpointAsync("GET /plain")).Count("requests").ShouldBe(1);
    }

    [Fact]
    public async Task Verdict_WaitsForWarmRequests_ThenNamesTheGain()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/sleep", () => s_never.WaitOne(100)));
        await app.GetAsync("/sleep");
        (await app.EndpointAsync("GET /sleep")).GetProperty("verdict").GetString().ShouldBe("notEnoughData");

        for (var i = 0; i < 10; i++)
        {
            await app.GetAsync("/sleep");
        }

        var row = await app.EndpointAsync("GET /sleep", 11);
        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp");
        // Whether a rate can be promised depends on the CPU time that a request takes on this machine. If it takes almost none, only the
        // limit is named.
        row.GetProperty("advice")
            .GetString()!.ShouldMatch(
                @"await instead \(a TaskCompletionSource.*\), and the (limit of [\d.,]+ requests a second|ceiling rises from [\d.,]+ to about [\d.,]+ requests a second)");
        var ceiling = row.GetProperty("ceilingPerSecond");
        ceiling.GetProperty("ifAsync").GetProperty("high").GetDouble()
            .ShouldBeGreaterThan(ceiling.GetProperty("now").GetProperty("high").GetDouble());
    }

    [Fact]
    public async Task Production_EmitsNoHeaders_UnlessAsked()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/plain", () => "plain"), "Production");

        var response = await app.GetAsync("/plain");

        response.Headers.Select(h => h.Key).ShouldNotContain(name => name.StartsWith("X-", StringComparison.Ordinal));
        await app.EndpointAsync("GET /plain");
    }

    [Fact]
    public async Task ServerTiming_IsAppended_WhenTheAppHasOneOfItsOwn()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/timed", (HttpResponse response) =>
        {
            response.Headers["Server-Timing"] = "db;dur=3";
            return "timed";
        }));

        var timing = string.Join(", ", (await app.GetAsync("/timed")).Headers.GetValues("Server-Timing"));

        timing.ShouldContain("db;dur=3");
        timing.ShouldContain("held;dur=");
        timing.ShouldContain("delay;dur=");
    }

    [Fact]
    public async Task Table_StaysBounded_WhenThereAreMoreEndpointsThanRows()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                for (var i = 0; i < 20; i++)
                {
                    a.MapGet($"/route{i}", context => context.Response.WriteAsync("ok"));
                }
            },
            configure: b => b.Configuration["AsyncProbe:MaxEndpoints"] = "5");
        await AskAsync();

        // Whatever has no row of its own gets none by a reset.
        await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);
        await AskAsync();

        async Task AskAsync()
        {
            for (var i = 0; i < 20; i++)
            {
                await app.GetAsync($"/route{i}");
            }

            await app.EndpointAsync("(other)", 15);
            var report = await app.ReportAsync();
            report.EndpointNames().Length.ShouldBe(6);
            report.GetProperty("probe").GetProperty("dropped").GetProperty("endpoints").GetInt64().ShouldBe(15);
        }
    }

    [Fact]
    public async Task Memory_StaysFlat_ForTwentyThousandUnmatchedPaths()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        await SendUnmatchedAsync(app, 2_000, "warm");
        var before = GC.GetTotalMemory(forceFullCollection: true);

        await SendUnmatchedAsync(app, 20_000, "path");

        (await app.EndpointAsync("(unmatched)", 22_000)).Count("requests").ShouldBe(22_000);
        // What the requests themselves left behind disappears when their connections have settled. Entries in a table would stay, and take
        // far more than a hundred bytes each.
        await Eventually.TrueAsync(
            () => GC.GetTotalMemory(forceFullCollection: true) - before < 2_000_000, "the memory has grown by two megabytes");
    }

    private static Task SendUnmatchedAsync(ProbedApp app, int count, string prefix) =>
        Task.WhenAll(Enumerable.Range(0, 8).Select(async client =>
        {
            for (var i = client; i < count; i += 8)
            {
                using var response = await app.GetAsync($"/{prefix}/{i}");
            }
        }));

    private static string[] Names(JsonElement element) => [.. element.EnumerateObject().Select(p => p.Name)];
}
