using System.Diagnostics;
using System.Net;
using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using AsyncProbe.Tests.Requests;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Accounting;

/// <summary>A request is measured until its last disposal and callback, which the server runs after the whole pipeline.</summary>
public sealed class AfterThePipelineTests
{
    private const int Ms = Disposed.SlowMs;

    [Theory]
    [InlineData("/dispose")]
    [InlineData("/dispose-async")]
    [InlineData("/completed")]
    [InlineData("/completed-later")]
    [InlineData("/registered")]
    [InlineData("/starting-late")]
    public async Task WhatRunsAfterThePipeline_IsCountedAndNamed(string path)
    {
        await using var app = await StartAsync(MapEnds);

        (await app.GetAsync(path)).StatusCode.ShouldBe(path == "/starting-late" ? HttpStatusCode.NoContent : HttpStatusCode.OK);

        var row = await app.EndpointAsync("GET " + path);
        IdleMs("total").ShouldBeGreaterThan(0.9 * Ms, $"{row}");
        IdleMs("max").ShouldBeGreaterThan(0.9 * Ms, $"{row}");
        (await app.SitesAsync("GET " + path)).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");

        // On a crowded machine, a wait for a task may spend most of its time waiting for a core.
        double IdleMs(string figure) => row.Ms("heldMs", figure) - row.Ms("cpuMs", figure);
    }

    [Fact]
    public async Task Dispose_IsCounted_AfterManyThatTookNoTime()
    {
        await using var app = await StartAsync(a => a.MapGet("/sometimes", (Disposed.Sometimes service, bool slow) => service.IsSlow = slow));
        await app.GetManyAsync("/sometimes?slow=false", 40);

        await app.GetAsync("/sometimes?slow=true");

        (await app.EndpointAsync("GET /sometimes", 41)).StoodStillMs("max").ShouldBeGreaterThan(0.9 * Ms);
    }

    [Fact]
    public async Task Callback_IsCountedAgain_OnceItTakesTime()
    {
        await using var app = await StartAsync(a => a.MapGet("/sometimes", (HttpResponse response, bool slow) => response.OnCompleted(() =>
        {
            Thread.Sleep(slow ? Ms : 0);
            return Task.CompletedTask;
        })));
        await app.GetManyAsync("/sometimes?slow=false", 40);

        // The app has no scoped services, so the first long request only shows that there is something to follow.
        await app.GetManyAsync("/sometimes?slow=true", 3);

        (await app.EndpointAsync("GET /sometimes", 43)).StoodStillMs().ShouldBeGreaterThan(2 * 0.9 * Ms);
    }

    [Fact]
    public async Task Dispose_IsCounted_AfterAnException()
    {
        await using var app = await StartAsync(
            a => a.MapGet("/throws", string (Disposed.Slow _) => throw new InvalidOperationException("on purpose")), "Production");

        (await app.GetAsync("/throws")).StatusCode.ShouldBe(HttpStatusCode.InternalServerError);

        await Eventually.TrueAsync(
            async () => (await app.EndpointAsync("GET /throws")).Ms("blockedMs") > 0.9 * Ms, "the disposal's time is missing");
        var row = await app.EndpointAsync("GET /throws");
        row.Count("requests").ShouldBe(1);
        row.Count("failed").ShouldBe(1);
        row.Count("inFlight").ShouldBe(0);
    }

    [Fact]
    public async Task ServersOwnFlow_IsLeftAsItWas()
    {
        var flowing = new AsyncLocal<string?>();
        var seen = new List<(string?, string?)>();
        await using var app = await StartAsync(a => a.MapGet("/x", (HttpContext context, Disposed.Quick _) =>
        {
            flowing.Value = "of the endpoint";
            context.Response.OnCompleted(() =>
            {
                seen.Add((flowing.Value, Activity.Current?.OperationName));
                flowing.Value = "of the callback";
                return Task.CompletedTask;
            });
        }));

        // On one connection, one after another.
        await app.GetAsync("/x");
        await app.GetAsync("/x");
        await app.EndpointAsync("GET /x", 2);

        seen.ShouldBe([(null, "Microsoft.AspNetCore.Hosting.HttpRequestIn"), (null, "Microsoft.AspNetCore.Hosting.HttpRequestIn")]);
    }

    [Theory]
    [InlineData("/dispose", 0)]
    [InlineData("/throws", 1)]
    public async Task InMemoryServer_CountsOnceAndLeavesNothingInFlight(string path, int failed)
    {
        using var host = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s =>
            {
                s.AddRouting().AddAsyncProbe();
                s.AddScoped<Disposed.Slow>();
            })
            .Configure(a => a.UseRouting().UseAsyncProbe().UseEndpoints(e =>
            {
                e.MapGet("/dispose", (Disposed.Slow _) => "x");
                e.MapGet("/throws", string () => throw new InvalidOperationException("on purpose"));
                e.MapAsyncProbe();
            }))).UseEnvironment("Development").StartAsync().WaitAsync(ProbedApp.Timeout);
        using var client = host.GetTestClient();

        if (failed == 0)
        {
            await client.GetAsync(new Uri(path, UriKind.Relative));
        }
        else
        {
            await Should.ThrowAsync<InvalidOperationException>(client.GetAsync(new Uri(path, UriKind.Relative)));
        }

        JsonElement row = default;
        await Eventually.TrueAsync(
            async () =>
            {
                var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;
                row = report.GetProperty("endpoints").EnumerateArray()
                    .FirstOrDefault(e => e.GetProperty("endpoint").GetString() == "GET " + path);
                return row.ValueKind == JsonValueKind.Object && row.Count("requests") == 1;
            },
            $"{path} was not counted");
        row.Count("inFlight").ShouldBe(0);
        row.Count("failed").ShouldBe(failed);
        row.StoodStillMs().ShouldBeGreaterThanOrEqualTo(failed == 0 ? 0.9 * Ms : 0);
        await host.StopAsync();
    }

    private static void MapEnds(WebApplication app)
    {
        app.MapGet("/dispose", (Disposed.Slow _) => "x");
        app.MapGet("/dispose-async", (Disposed.SlowAsync _) => "x");
        app.MapGet("/completed", (HttpResponse response) =>
        {
            response.OnCompleted(() =>
            {
                Waiting.ForTask(Ms);
                return Task.CompletedTask;
            });
            return "x";
        });
        app.MapGet("/completed-later", (HttpResponse response) =>
        {
            response.OnCompleted(async () =>
            {
                await Task.Delay(5).ConfigureAwait(false);
                Waiting.ForTask(Ms);
            });
            return "x";
        });
        app.MapGet("/registered", (HttpResponse response) =>
        {
            response.RegisterForDispose(new Disposed.Slow());
            return "x";
        });
        app.MapGet("/starting-late", (HttpResponse response) =>
        {
            response.OnStarting(() =>
            {
                Waiting.ForTask(Ms);
                return Task.CompletedTask;
            });
            return Results.NoContent();
        });
    }

    private static Task<ProbedApp> StartAsync(Action<WebApplication> map, string environment = "Development") =>
        ProbedApp.StartAsync(
            map,
            environment,
            b => b.Services.AddScoped<Disposed.Slow>().AddScoped<Disposed.SlowAsync>()
                .AddScoped<Disposed.Quick>().AddScoped<Disposed.Sometimes>());
}
