using System.Net;
using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Attach.Tests;

/// <summary>The server's events that begin and end a request, in every form that they come in.</summary>
public sealed class EventTests
{
    [Fact]
    public async Task EachRequest_IsCountedOnce_HoweverItEnds()
    {
        await using var shop = await ShopProcess.StartAsync();
        var before = shop.TextAsync("/stuck");
        await Eventually.TrueAsync(
            async () => (await shop.CountersAsync()).GetProperty("requests").GetInt64() > 0, "the request never reached the application");
        using var probe = new AttachedReport(shop);

        // Began before the subscription: it ends without a beginning.
        await shop.TextAsync("/release");
        (await before).ShouldBe("stuck");
        await probe.CountedAsync("GET /release", 1);
        probe.Find("GET /stuck")?.Requests.ShouldBe(0);

        // The same connection again, one request after another.
        for (var i = 0; i < 20; i++)
        {
            await shop.TextAsync("/fast");
        }

        (await probe.CountedAsync("GET /fast", 20)).Failed.ShouldBe(0);

        // An exception that nobody handles.
        await Should.ThrowAsync<HttpRequestException>(() => shop.TextAsync("/throw"));
        (await probe.CountedAsync("GET /throw", 1)).Failed.ShouldBe(1);

        // An exception that the application handles.
        (await shop.Client.GetAsync(new Uri("/fail", UriKind.Relative))).StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        await probe.CountedAsync("GET /fail", 1);

        // The same in an application whose APM agent listens to handled exceptions. The middleware's wait after it still belongs to the
        // request.
        (await shop.Client.GetAsync(new Uri("/handled", UriKind.Relative))).StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        (await probe.CountedAsync("GET /handled", 1)).WaitedMs().ShouldBeGreaterThan(200);

        // A client's mistake is not a failure of the application.
        using var body = new StringContent("too long");
        (await shop.Client.PostAsync(new Uri("/large", UriKind.Relative), body)).StatusCode.ShouldBe(HttpStatusCode.RequestEntityTooLarge);
        (await probe.CountedAsync("(unmatched)", 1)).Failed.ShouldBe(0);

        using var socket = new ClientWebSocket();
        await socket.ConnectAsync(new Uri(shop.Address.ToString().Replace("http:", "ws:", StringComparison.Ordinal) + "socket"), default);
        var buffer = new byte[100];
        for (var i = 0; i < 3; i++)
        {
            await socket.SendAsync(Encoding.UTF8.GetBytes("hello").AsMemory(), WebSocketMessageType.Text, endOfMessage: true, default);
            (await socket.ReceiveAsync(buffer.AsMemory(), default)).Count.ShouldBe(5);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, default);
        (await probe.CountedAsync("GET /socket", 1)).WaitedMs().ShouldBeGreaterThan(3 * 20);
        await probe.CountedAsync("GET /fast", 20);
    }

    [Fact]
    public async Task CacheHits_AreCountedApart()
    {
        await using var shop = await ShopProcess.StartAsync("--cache");
        using var probe = new AttachedReport(shop);

        for (var i = 0; i < 5; i++)
        {
            await shop.TextAsync("/cached");
            await shop.TextAsync("/aged");
        }

        (await probe.CountedAsync("GET /cached", 5)).FromCache.ShouldBe(4);
        (await probe.CountedAsync("GET /aged", 5)).FromCache.ShouldBe(0);
    }

    [Fact]
    public async Task StreamsOfOneConnection_AreCountedApart_WithHttp2()
    {
        await using var shop = await ShopProcess.StartAsync("--Kestrel:EndpointDefaults:Protocols=Http2");
        using var probe = new AttachedReport(shop);
        using var client = new HttpClient
        {
            BaseAddress = shop.Address, DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

        await Task.WhenAll(Enumerable.Range(0, 20).Select(
            i => client.GetStringAsync(new Uri(i % 2 == 0 ? "/async" : "/late", UriKind.Relative))));

        var awaited = await probe.CountedAsync("GET /async", 10);
        var blocked = await probe.CountedAsync("GET /late", 10);
        blocked.WaitedMs().ShouldBeGreaterThan(10 * 20);
        awaited.BlockedMs.Total.ShouldNotBeNull().ShouldBeLessThan(blocked.BlockedMs.Total!.Value);
    }
}
