using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Attach.Tests;

/// <summary>The live page that the tool serves for an attached probe.</summary>
public sealed class PageTests
{
    [Fact]
    public async Task Page_IsServedBelowItsRandomPath_AndNothingElseIs()
    {
        await using var shop = await ShopProcess.StartAsync();
        using var probe = new AttachedReport(shop);
        using var page = new PageServer(probe.Socket);
        using var client = new HttpClient();
        await shop.TextAsync("/fast");
        await probe.CountedAsync("GET /fast", 1);

        var html = await GetAsync(client, page.Url, "text/html");
        html.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await html.Content.ReadAsStringAsync()).ShouldContain("page.js");
        (await GetAsync(client, new Uri(page.Url, "page.css"), "text/css")).Content.Headers.ContentType!.MediaType.ShouldBe("text/css");
        (await GetAsync(client, new Uri(page.Url, "help"), "text/html")).StatusCode.ShouldBe(HttpStatusCode.OK);

        // As the page's script asks for the report: below the page, without a slash.
        var report = await GetAsync(client, new Uri(page.Url.ToString().TrimEnd('/') + "?history=10"), "application/json");
        JsonDocument.Parse(await report.Content.ReadAsStringAsync()).RootElement.GetProperty("endpoints").EnumerateArray()
            .ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /fast");

        page.Url.Host.ShouldBe("127.0.0.1");
        foreach (var path in (string[])["/", "/page.css", page.Url.AbsolutePath + "detach", page.Url.AbsolutePath + "hold", page.Url.AbsolutePath + "../"])
        {
            (await GetAsync(client, new Uri(page.Url, path), "text/html")).StatusCode.ShouldBe(HttpStatusCode.NotFound, path);
        }

        using var foreign = new HttpRequestMessage(HttpMethod.Get, page.Url) { Headers = { Host = "example.org" } };
        (await client.SendAsync(foreign)).StatusCode.ShouldBe(HttpStatusCode.NotFound);
        await probe.CountedAsync("GET /fast", 1);
    }

    // One connection for which the tool had no free descriptor ended the page until the tool ended.
    [Fact]
    public async Task Page_IsServed_AfterAConnectionThatCouldNotBeAccepted()
    {
        await using var shop = await ShopProcess.StartAsync();
        using var probe = new AttachedReport(shop);
        var failures = 0;
        using var page = new PageServer(probe.Socket, (listener, end) =>
            failures++ < 2 ? throw new SocketException((int)SocketError.TooManyOpenSockets) : listener.AcceptSocketAsync(end));
        using var client = new HttpClient();

        (await GetAsync(client, page.Url, "text/html")).StatusCode.ShouldBe(HttpStatusCode.OK);
        failures.ShouldBeGreaterThan(2);
    }

    private static Task<HttpResponseMessage> GetAsync(HttpClient client, Uri url, string accept) =>
        client.SendAsync(new HttpRequestMessage(HttpMethod.Get, url) { Headers = { { "Accept", accept } } });
}
