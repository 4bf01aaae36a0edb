using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Requests;

/// <summary>Every kind of request is counted under the right endpoint, with headers wherever the framework lets them be sent.</summary>
public sealed class KindsOfRequestTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

    [Fact]
    public async Task MinimalApi_IsNamedByItsTemplate()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/things/{id:int}", (int id) => id));

        (await app.GetAsync("/things/7")).Headers.Contains(Held).ShouldBeTrue();
        (await app.GetAsync("/things/8?secret=1")).StatusCode.ShouldBe(HttpStatusCode.OK);

        (await app.EndpointAsync("GET /things/{id:int}", 2)).Count("requests").ShouldBe(2);
        (await app.ReportAsync()).ToString().ShouldNotContain("secret");
    }

    [Fact]
    public async Task Controller_IsNamedByItsAction_UnderAConventionalRoute()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapControllerRoute("default", "{controller=Home}/{action=Index}/{id?}"),
            configure: b => b.Services.AddControllers().AddApplicationPart(typeof(PlainController).Assembly));

        (await app.GetAsync("/Plain/Show/3")).Headers.Contains(Held).ShouldBeTrue();

        await app.EndpointAsync("GET /Plain/Show/{id?}");
    }

    [Fact]
    public async Task Controller_IsNamedByItsTemplate_UnderAnAttributeRoute()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapControllers(),
            configure: b => b.Services.AddControllers().AddApplicationPart(typeof(PlainController).Assembly));

        await app.GetAsync("/api/Attributed/5");

        await app.EndpointAsync("GET /api/Attributed/{id}");
    }

    [Theory]
    [InlineData("/no-content", HttpStatusCode.NoContent)]
    [InlineData("/not-modified", HttpStatusCode.NotModified)]
    [InlineData("/nowhere", HttpStatusCode.NotFound)]
    public async Task EmptyAnswer_CarriesHeaders_ThoughTheyAreWrittenAfterTheMiddleware(string path, HttpStatusCode status)
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/no-content", () => Results.NoContent());
            a.MapGet("/not-modified", () => Results.StatusCode(304));
        });

        var response = await app.GetAsync(path);

        response.StatusCode.ShouldBe(status);
        response.Headers.Contains(Held).ShouldBeTrue();
        response.Headers.Contains("Server-Timing").ShouldBeTrue();
    }

    [Fact]
    public async Task Head_IsCountedUnderItsOwnMethod()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapMethods("/page", ["GET", "HEAD"], () => "page"));

        using var request = new HttpRequestMessage(HttpMethod.Head, "/page");
        (await app.Client.SendAsync(request)).Headers.Contains(Held).ShouldBeTrue();

        await app.EndpointAsync("HEAD /page");
    }

    [Fact]
    public async Task UnknownMethod_IsCountedAsOther()
    {
        await using var app = await ProbedApp.StartAsync(a => a.Map("/any", () => "any"));
        foreach (var method in new[] { "BREW", "WHEN" })
        {
            using var request = new HttpRequestMessage(new HttpMethod(method), "/any");
            await app.Client.SendAsync(request);
        }

        await app.EndpointAsync("_OTHER /any", 2);
    }

    [Fact]
    public async Task Unmatched_SharesOneRow_WhateverThePath()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        for (var i = 0; i < 5; i++)
        {
            await app.GetAsync($"/nowhere/{i}");
        }

        await app.EndpointAsync("(unmatched)", 5);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["(unmatched)"]);
    }

    [Fact]
    public async Task Exception_IsCountedAsFailed_UnderTheEndpointThatThrew_WhenAHandlerClearsTheEndpoint()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.UseExceptionHandler(handler => handler.Run(context => context.Response.WriteAsync("sorry")));
                a.MapGet("/throws", string () => throw new InvalidOperationException("on purpose"));
            },
            "Production",
            b => b.Configuration["AsyncProbe:Headers"] = "true");

        var response = await app.GetAsync("/throws");

        response.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        response.Headers.Contains(Held).ShouldBeTrue();
        (await app.EndpointAsync("GET /throws")).Count("failed").ShouldBe(1);
    }

    [Fact]
    public async Task UnhandledException_IsCountedAsFailed_InProduction()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/throws", string () => throw new InvalidOperationException("on purpose")), "Production");

        (await app.GetAsync("/throws")).StatusCode.ShouldBe(HttpStatusCode.InternalServerError);

        (await app.EndpointAsync("GET /throws")).Count("failed").ShouldBe(1);
    }

    [Fact]
    public async Task Abort_IsCountedApartFromFailures()
    {
        var arrived = new TaskCompletionSource();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/slow", async (CancellationToken leaves) =>
        {
            arrived.SetResult();
            await Task.Delay(ProbedApp.Timeout, leaves);
        }));

        using (var client = new CancellationTokenSource())
        {
            var request = app.Client.GetAsync(new Uri("/slow", UriKind.Relative), client.Token);
            await arrived.Task.WaitAsync(ProbedApp.Timeout);
            await client.CancelAsync();
            await Should.ThrowAsync<OperationCanceledException>(request);
        }

        var row = await app.EndpointAsync("GET /slow");
        row.Count("aborted").ShouldBe(1);
        row.Count("failed").ShouldBe(0);
    }

    [Fact]
    public async Task SelfCall_ThroughAnInMemoryServer_IsCountedForBothHosts()
    {
        using var inner = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s => s.AddRouting().AddAsyncProbe())
            .Configure(a => a.UseAsyncProbe().UseRouting().UseEndpoints(e =>
            {
                e.MapGet("/inner", () => Thread.Sleep(400));
                e.MapAsyncProbe();
            }))).StartAsync();
        using var innerClient = inner.GetTestClient();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/outer", async () =>
        {
            await innerClient.GetAsync(new Uri("/inner", UriKind.Relative));
            Thread.Sleep(40);
        }));

        await app.GetAsync("/outer");

        (await app.EndpointAsync("GET /outer")).Ms("blockedMs").ShouldBeInRange(38, 300, "the inner request's 400 ms are its own");
        (await app.ReportAsync()).EndpointNames().ShouldBe(["GET /outer"]);
        (await innerClient.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).ShouldContain("GET /inner");
        await inner.StopAsync();
    }

    [Fact]
    public async Task TwoHosts_KeepTheirOwnTables()
    {
        await using var first = await ProbedApp.StartAsync(a => a.MapGet("/first", () => "1"));
        await using var second = await ProbedApp.StartAsync(a => a.MapGet("/second", () => "2"));

        await first.GetAsync("/first");
        await second.GetAsync("/second");

        await first.EndpointAsync("GET /first");
        await second.EndpointAsync("GET /second");
        (await first.ReportAsync()).EndpointNames().ShouldBe(["GET /first"]);
        (await second.ReportAsync()).EndpointNames().ShouldBe(["GET /second"]);
    }

    [Fact]
    public async Task LateRouting_IsCountedUnderItsEndpoint_AndSaidOnceAtStart()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseRouting();
            a.MapGet("/late/{id}", (int id) => id);
        });

        app.Log.All.Count(line => line.Text.Contains("UseAsyncProbe comes before UseRouting", StringComparison.Ordinal)).ShouldBe(1);
        (await app.GetAsync("/late/1")).Headers.Contains(Held).ShouldBeTrue();
        await app.EndpointAsync("GET /late/{id}");
    }

    [Fact]
    public async Task LateRouting_KeepsTheEndpoint_WhenAnErrorHandlerClearsIt()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseExceptionHandler(handler => handler.Run(context => context.Response.WriteAsync("sorry")));
            a.UseRouting();
            a.MapGet("/throws", string () => throw new InvalidOperationException("on purpose"));
        });

        await app.GetAsync("/throws");

        (await app.EndpointAsync("GET /throws")).Count("failed").ShouldBe(1);
    }

    [Fact]
    public async Task EventStream_ShowsItsHeldTimeWhileItLasts_AndStaysOutOfTheDurations()
    {
        var end = new TaskCompletionSource();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/events", async context =>
        {
            context.Response.ContentType = "text/event-stream";
            for (var i = 0; !end.Task.IsCompleted; i++)
            {
                Thread.Sleep(20);
                await context.Response.WriteAsync($"data: {i}\n\n");
                await context.Response.Body.FlushAsync();
                await Task.WhenAny(end.Task, Task.Delay(50));
            }
        }));

        var response = await app.Client.GetAsync(new Uri("/events", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        response.Headers.Contains(Held).ShouldBeTrue();
        var running = await app.EndpointAsync("GET /events", 0);
        while (running.Ms("heldMs") == 0)
        {
            await Task.Delay(50);
            running = await app.EndpointAsync("GET /events", 0);
        }

        running.GetProperty("inFlight").GetInt32().ShouldBe(1);
        running.Count("requests").ShouldBe(0);
        end.SetResult();
        await response.Content.ReadAsStringAsync();

        var done = await app.EndpointAsync("GET /events");
        done.Ms("heldMs").ShouldBeGreaterThanOrEqualTo(running.Ms("heldMs"));
        done.GetProperty("durationMs").GetProperty("p50").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
    }

    [Fact]
    public async Task WebSocket_IsCountedAndStaysOutOfTheDurations()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseWebSockets();
            a.MapGet("/socket", async context =>
            {
                using var socket = await context.WebSockets.AcceptWebSocketAsync();
                await socket.ReceiveAsync(new byte[16], CancellationToken.None);
                await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
            });
        });

        using var client = new ClientWebSocket();
        using var timeout = new CancellationTokenSource(ProbedApp.Timeout);
        await client.ConnectAsync(new UriBuilder(app.Client.BaseAddress!) { Scheme = "ws", Path = "/socket" }.Uri, timeout.Token);
        await client.SendAsync(new byte[] { 1 }, WebSocketMessageType.Binary, true, timeout.Token);
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, timeout.Token);

        var row = await app.EndpointAsync("GET /socket");
        row.GetProperty("durationMs").GetProperty("mean").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
    }
}
