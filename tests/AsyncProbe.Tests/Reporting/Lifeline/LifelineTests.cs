using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Lifeline;
using AsyncProbe.Reporting.Page;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Reporting.Lifeline;

/// <summary>What the lifeline answers, and to which callers.</summary>
public sealed class LifelineTests
{
    [Fact]
    public async Task Lifeline_AnswersWithTheReport()
    {
        await using var lifeline = await LifelineApp.StartAsync();

        using var response = await lifeline.Client.GetAsync(lifeline.Address);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/json");
        JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.GetProperty("schema").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task Lifeline_ServesThePageAndItsParts_UnderTheSamePolicy()
    {
        await using var lifeline = await LifelineApp.StartAsync();

        using var page = await lifeline.AskAsync("/", ("Accept", "text/html,*/*;q=0.8"));
        page.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        page.Headers.GetValues("Content-Security-Policy").Single()
            .ShouldStartWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';");
        var html = await page.Content.ReadAsStringAsync();
        html.ShouldContain("data-server=\"lifeline\"");
        foreach (var part in new[] { "page.css", "page.js" })
        {
            html.ShouldContain($"=\"{part}\"");
        }

        foreach (var part in PageFiles.Parts.Append("help"))
        {
            using var response = await lifeline.AskAsync("/" + part);
            response.StatusCode.ShouldBe(HttpStatusCode.OK, part);
        }

        using var missing = await lifeline.AskAsync("/page.html");
        missing.StatusCode.ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Lifeline_ServesTheReport_AlsoUnderTheReportsUsualPath()
    {
        await using var lifeline = await LifelineApp.StartAsync();

        using var page = await lifeline.AskAsync("/_threadpool", ("Accept", "text/html"));
        page.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        using var report = await lifeline.AskAsync("/_threadpool?history=1");
        report.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await report.Content.ReadAsStringAsync()).ShouldContain("\"endpoints\"");
    }

    [Fact]
    public async Task Lifeline_TellsItsAddressBeforehand_InTheReportThePageAndTheLog()
    {
        await using var lifeline = await LifelineApp.StartAsync();

        (await lifeline.App.ReportAsync()).GetProperty("probe").GetProperty("lifeline").GetString().ShouldBe(lifeline.Address.ToString());
        using var request = new HttpRequestMessage(HttpMethod.Get, "/_threadpool") { Headers = { { "Accept", "text/html" } } };
        using var page = await lifeline.App.Client.SendAsync(request);
        (await page.Content.ReadAsStringAsync()).ShouldContain($"data-lifeline=\"{lifeline.Address}\"");
        page.Headers.GetValues("Content-Security-Policy").Single().ShouldContain($"connect-src 'self' {lifeline.Address};");
        lifeline.Log.All.Single(l => l.Id.Id == 36).Text.ShouldContain($"{lifeline.Address}. ");
    }

    [Fact]
    public async Task Lifeline_IsReadByScripts_OfItsOwnPageAndTheApplicationsAlone()
    {
        await using var lifeline = await LifelineApp.StartAsync();
        var app = lifeline.App.Address;

        await AskedByAsync($"http://127.0.0.1:{lifeline.Address.Port}", HttpStatusCode.OK, allowed: null);
        await AskedByAsync($"http://127.0.0.1:{app.Port}", HttpStatusCode.OK, $"http://127.0.0.1:{app.Port}");
        await AskedByAsync($"http://localhost:{app.Port}", HttpStatusCode.OK, $"http://localhost:{app.Port}");
        await AskedByAsync("http://evil.example", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync($"http://evil.example:{app.Port}", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync($"https://127.0.0.1:{app.Port}", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync("http://localhost:3000", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync($"http://localhost:{app.Port}.evil.example", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync($"http://localhost:{app.Port}@evil.example", HttpStatusCode.NotFound, allowed: null);
        await AskedByAsync("null", HttpStatusCode.NotFound, allowed: null);

        async Task AskedByAsync(string origin, HttpStatusCode status, string? allowed)
        {
            using var response = await lifeline.AskAsync("/", ("Origin", origin));
            response.StatusCode.ShouldBe(status, origin);
            (response.Headers.TryGetValues("Access-Control-Allow-Origin", out var values) ? values.Single() : null).ShouldBe(
                allowed, origin);
        }
    }

    [Theory]
    [InlineData("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", "application/openmetrics-text")]
    [InlineData("*/*", "text/plain")]
    public async Task Lifeline_AnswersWithTheMetrics_ForPrometheus(string accept, string type)
    {
        await using var lifeline = await LifelineApp.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(lifeline.Address, "/metrics"));
        request.Headers.TryAddWithoutValidation("Accept", accept);

        using var response = await lifeline.Client.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.MediaType.ShouldBe(type);
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
        (await response.Content.ReadAsStringAsync()).ShouldContain("\nasyncprobe_thread_pool_state{asyncprobe_state=\"");
    }

    [Fact]
    public async Task Lifeline_RefusesAForeignName()
    {
        await using var lifeline = await LifelineApp.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Get, lifeline.Address) { Headers = { Host = "evil.example" } };

        using var response = await lifeline.Client.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Lifeline_ListensOnTheLoopbackAddressAlone()
    {
        await using var lifeline = await LifelineApp.StartAsync();
        await lifeline.ShouldAnswerAsync();

        // Another address of this machine: a server that listens on all of them would answer there as well.
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var refused = await Should.ThrowAsync<SocketException>(
            () => socket.ConnectAsync(IPAddress.Parse("127.0.0.2"), lifeline.Address.Port));
        refused.SocketErrorCode.ShouldBe(SocketError.ConnectionRefused);
    }

    [Fact]
    public async Task Application_StartsAndSaysSo_WhenThePortIsTaken()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;

        await using var lifeline = await LifelineApp.StartAsync(port: port);

        lifeline.Log.All.Single(l => l.Id.Id == 33).Text.ShouldContain($"cannot listen on loopback port {port}");
    }

    [Fact]
    public void Lifeline_EndsAtOnce_ThoughItLooksForCallers()
    {
        var quickest = TimeSpan.MaxValue;
        for (var i = 0; i < 10; i++)
        {
            var listener = new LifelineListener(FreePort.Take(), _ => null!, new Faults(NullLogger<Faults>.Instance));

            // The lifeline has normally done its check by now, which takes 200 ms, but on a crowded machine not every time.
            Thread.Sleep(20);
            var clock = Stopwatch.StartNew();
            listener.Dispose();
            quickest = clock.Elapsed < quickest ? clock.Elapsed : quickest;
        }

        quickest.TotalMilliseconds.ShouldBeLessThan(100);
    }
}
