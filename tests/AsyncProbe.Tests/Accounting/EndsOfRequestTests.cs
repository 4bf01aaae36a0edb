using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Accounting;

/// <summary>Requests that don't end with an answer: an exception, a client that disconnects, a connection that stays open.</summary>
public sealed class EndsOfRequestTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

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
            b => b.Configuration["AsyncProbe:EmitHeaders"] = "true");

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
