using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Reporting.Lifeline;

/// <summary>An app with a lifeline, and a client for it.</summary>
internal sealed class LifelineApp : IAsyncDisposable
{
    private readonly ProbedApp _app;
    private readonly int _port;

    private LifelineApp(ProbedApp app, int port) => (_app, _port) = (app, port);

    public HttpClient Client { get; } = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = ProbedApp.Timeout };

    public Uri Address => new($"http://127.0.0.1:{_port}/");

    public ProbedApp App => _app;

    public LogLines Log => _app.Log;

    public static async Task<LifelineApp> StartAsync(int endpoints = 0, int? port = null)
    {
        var chosen = port ?? FreePort.Take();
        var app = await ProbedApp.StartAsync(
            a =>
            {
                for (var i = 0; i < endpoints; i++)
                {
                    // A RequestDelegate, because thousands of other delegates would be compiled at the first request.
                    a.MapGet($"/route{i}", context => context.Response.WriteAsync("ok"));
                }
            },
            configure: b =>
            {
                b.Configuration["AsyncProbe:LifelinePort"] = $"{chosen}";
                b.Configuration["AsyncProbe:MaxEndpoints"] = "5000";
            });
        var lifeline = new LifelineApp(app, chosen);
        try
        {
            await Parallel.ForEachAsync(
                Enumerable.Range(0, endpoints),
                new ParallelOptions { MaxDegreeOfParallelism = 8 },
                async (i, _) => (await app.GetAsync($"/route{i}")).Dispose());
            return lifeline;
        }
        catch
        {
            await lifeline.DisposeAsync();
            throw;
        }
    }

    public Task<HttpResponseMessage> AskAsync(string path, params (string Name, string Value)[] headers)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, new Uri(Address, path));
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return Client.SendAsync(request);
    }

    public async Task<Socket> ConnectAsync(int? receiveBuffer = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.ReceiveBufferSize = receiveBuffer ?? socket.ReceiveBufferSize;
        await socket.ConnectAsync(IPAddress.Loopback, _port).WaitAsync(ProbedApp.Timeout);
        return socket;
    }

    public async Task ShouldAnswerAsync()
    {
        using var response = await Client.GetAsync(Address).WaitAsync(ProbedApp.Timeout);
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _app.DisposeAsync();
    }
}
