using System.Net;
using System.Net.Sockets;
using AsyncProbe.Tests.Reporting.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using static AsyncProbe.Tests.Reporting.Http.ExposedApp;

namespace AsyncProbe.Tests.Reporting.Access;

/// <summary>Which callers AllowLocal answers outside Development, through a real relay and real sockets.</summary>
public sealed class AllowLocalTests
{
    [Fact]
    public async Task Relay_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked()
    {
        await using var app = await StartAsync(allowLocal: false);
        await using var careless = await StartAsync(allowLocal: true);
        await using var relay = new TcpRelay(app.Address.Port);
        await using var carelessRelay = new TcpRelay(careless.Address.Port);

        (await StatusAsync(relay.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(carelessRelay.Client)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(carelessRelay.Client, ("Host", "shop.example"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("X-Was-For")]
    public async Task AllowLocal_RefusesAForgedAddress_ThatForwardedHeadersBelieve(string? renamed)
    {
        await using var app = await StartAsync(allowLocal: true, map: a => a.UseForwardedHeaders(TrustEverybody(renamed)));

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(app.Client, ("X-Forwarded-For", "127.0.0.1"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task AllowLocal_KnowsLoopback_MappedIntoIPv6()
    {
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.MapGet("/who", (Microsoft.AspNetCore.Http.HttpContext c) => c.Connection.RemoteIpAddress!.ToString()),
            configure: b => b.WebHost
                .UseUrls("http://[::ffff:127.0.0.1]:0")
                .UseSockets(s => s.CreateBoundListenSocket = endPoint =>
                {
                    var socket = new Socket(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp) { DualMode = true };
                    socket.Bind(endPoint);
                    return socket;
                }));
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{app.Address.Port}"), Timeout = ProbedApp.Timeout };

        (await client.GetStringAsync(new Uri("/who", UriKind.Relative))).ShouldBe("::ffff:127.0.0.1");
        (await StatusAsync(client)).ShouldBe(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("evil.example")]
    [InlineData("localhost.evil.example")]
    public async Task AllowLocal_RefusesAForeignName_PointedAtThisMachine(string host)
    {
        await using var app = await StartAsync(allowLocal: true);

        (await StatusAsync(app.Client, ("Host", host))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task AllowLocal_AnswersTheInMemoryServer()
    {
        await using var app = await StartInMemoryAsync(allowLocal: true);
        await using var closed = await StartInMemoryAsync(allowLocal: false);

        (await StatusAsync(app.GetTestClient())).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(closed.GetTestClient())).ShouldBe(HttpStatusCode.NotFound);
    }
}
