using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Requests;

/// <summary>Ways for a request to arrive: each gets the headers, the line that blocked and the report.</summary>
public sealed class HostsTests
{
    [Theory]
    [InlineData("HTTP/1.1", "1.1")]
    [InlineData("HTTP/2 without TLS", "2.0")]
    [InlineData("a Unix socket", "1.1")]
    [InlineData("TestServer", "1.1")]
    public async Task Request_IsMeasuredAndItsLineNamed_HoweverItComesIn(string way, string version)
    {
        var socket = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}.sock");
        await using var app = await StartAsync(way, socket);
        using var client = ClientFor(app, way, socket);

        using var response = await client.SendAsync(Get("/blocks", version));

        response.EnsureSuccessStatusCode();
        response.Version.ShouldBe(new Version(version));
        response.Headers.GetValues("X-AsyncProbe-Blocked-At").Single().ShouldContain("Waiting.ForTask (Waiting.cs:");
        response.StoodStillMs().ShouldBeGreaterThan(20);
        var row = await Eventually.FoundAsync(
            async () =>
            {
                using var answer = await client.SendAsync(Get("/_threadpool", version));
                var report = JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement;
                return report.GetProperty("endpoints").EnumerateArray().FirstOrDefault();
            },
            () => "the report has no row");
        row.GetProperty("endpoint").GetString().ShouldBe("GET /blocks");
        row.Count("requests").ShouldBe(1);
        await app.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    private static HttpRequestMessage Get(string path, string version) => new(HttpMethod.Get, new Uri(path, UriKind.Relative))
    {
        Version = new Version(version), VersionPolicy = HttpVersionPolicy.RequestVersionExact,
    };

    private static async Task<WebApplication> StartAsync(string way, string socket)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.Logging.ClearProviders();
        builder.Configuration["AsyncProbe:AllowRemote"] = "true";
        builder.Services.AddAsyncProbe();
        if (way == "TestServer")
        {
            builder.WebHost.UseTestServer();
        }
        else
        {
            builder.WebHost.ConfigureKestrel(kestrel =>
            {
                if (way == "a Unix socket")
                {
                    kestrel.ListenUnixSocket(socket);
                }
                else
                {
                    kestrel.Listen(
                        IPAddress.Loopback, 0, l => l.Protocols = way == "HTTP/1.1" ? HttpProtocols.Http1 : HttpProtocols.Http2);
                }
            });
        }

        var app = builder.Build();
        app.UseAsyncProbe();
        app.MapAsyncProbe();
        app.MapGet("/blocks", () => Waiting.ForTask());
        await app.StartAsync().WaitAsync(ProbedApp.Timeout);
        return app;
    }

    private static HttpClient ClientFor(WebApplication app, string way, string socket)
    {
        if (way == "TestServer")
        {
            return app.GetTestClient();
        }

        var isUnix = way == "a Unix socket";
        return new HttpClient(new SocketsHttpHandler
        {
            UseProxy = false,
            ConnectCallback = !isUnix ? null : async (_, cancellation) =>
            {
                var connection = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await connection.ConnectAsync(new UnixDomainSocketEndPoint(socket), cancellation);
                return new NetworkStream(connection, ownsSocket: true);
            },
        }) { BaseAddress = new Uri(isUnix ? "http://localhost" : app.Urls.First()), Timeout = ProbedApp.Timeout };
    }
}
