using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>Requests that no browser sends. They get a report or a status, and never a server error.</summary>
public sealed class HostileRequestTests
{
    private static readonly string[] s_queries =
    [
        "?", "?&&&===", "?=", "?endpoint", "?endpoint=", "?endpoint=%00%01%1b%5b", "?endpoint=%ff%fe", "?endpoint=%ED%A0%80", "?endpoint=%",
        "?endpoint=a&endpoint=b",
        "?endpoint=<script>alert(1)</script>", "?endpoint=../../etc/passwd", "?endpoint[]=a", "?ENDPOINT=plain", "?history", "?history=",
        "?history=-1", "?history=%2B1",
        "?history=2147483647", "?history=2147483648", "?history=999999999999999999999", "?history=1e300", "?history=NaN", "?history=0x10",
        "?history=%D9%A1",
        "?history=1&history=2", "?history=2147483647&endpoint=plain", "?history=0", "?history=1;endpoint=plain",
    ];

    private static readonly string[] s_accepts =
    [
        "", "*/*", ";;;;", ",,,,", "text/html;q=nonsense", "text/html;q=-1", "text/html;q=1e300", "text/html;q=0",
        "text/html;q=0.5,application/json;q=0.4", "text", "/",
        "text/html; charset=\"", "\u00ff\u00fe", "application/json;q=0", "TEXT/HTML", new string(',', 5000),
        string.Join(',', Enumerable.Repeat("text/html;q=0.1", 500)),
    ];

    [Fact]
    public async Task QueryString_GetsAReport_WhateverItSays()
    {
        await using var app = await StartAsync();
        foreach (var query in s_queries.Append("?endpoint=" + new string('x', 7000))
            .Append("?" + string.Join('&', Enumerable.Range(0, 1000).Select(i => $"k{i}"))))
        {
            var (status, body) = await RawAsync(app, $"GET /_threadpool{query} HTTP/1.1\r\nHost: localhost\r\n");

            status.ShouldBe(200, query);
            JsonDocument.Parse(body).RootElement.GetProperty("schema").GetInt32().ShouldBeGreaterThan(0);
        }
    }

    [Fact]
    public async Task Accept_GetsThePageOrTheReport_WhateverItSays()
    {
        await using var app = await StartAsync();
        foreach (var accept in s_accepts)
        {
            foreach (var name in new[] { "Accept", "Accept-Encoding" })
            {
                var (status, body) = await RawAsync(app, $"GET /_threadpool HTTP/1.1\r\nHost: localhost\r\n{name}: {accept}\r\n");

                // Kestrel itself refuses what isn't text.
                status.ShouldBeOneOf(accept.Contains('\u00ff', StringComparison.Ordinal) ? [200, 400] : [200]);
                (status == 400 || body[0] is (byte)'{' or (byte)'<').ShouldBeTrue($"{name}: {accept}");
            }
        }
    }

    [Theory]
    [InlineData("", "GET, HEAD")]
    [InlineData("/page.js", "GET, HEAD")]
    [InlineData("/page.css", "GET, HEAD")]
    [InlineData("/reset", "POST")]
    [InlineData("/snapshot", "POST")]
    public async Task WrongMethod_GetsAStatusThatSaysWhichIsRight(string route, string right)
    {
        await using var app = await StartAsync();
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");
        foreach (var method
            in new[] { "PUT", "DELETE", "PATCH", "OPTIONS", "ODD", right == "POST" ? "GET" : "POST", right == "POST" ? "HEAD" : "post" })
        {
            using var request = new HttpRequestMessage(new HttpMethod(method), "/_threadpool" + route);
            using var response = await app.Client.SendAsync(request).WaitAsync(ProbedApp.Timeout);

            response.StatusCode.ShouldBe(HttpStatusCode.MethodNotAllowed, method);
            response.Content.Headers.Allow.ShouldBe(right.Split(", "), ignoreOrder: true);
            (await response.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
        }

        (await app.ReportAsync()).EndpointNames().ShouldBe(["GET /plain"], "nothing was reset, and none of it is counted");
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("text/html")]
    public async Task Head_GetsTheHeadersOfGet_AndNoBody(string accept)
    {
        await using var app = await StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Head, "/_threadpool");
        request.Headers.Accept.ParseAdd(accept);

        using var response = await app.Client.SendAsync(request).WaitAsync(ProbedApp.Timeout);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.MediaType.ShouldBe(accept);
        response.Content.Headers.ContentLength!.Value.ShouldBeGreaterThan(100);
        (await response.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("Content-Type: ;;;\r\nContent-Length: 3\r\n", "abc")]
    [InlineData("Content-Type: application/json\r\nContent-Length: 9\r\n", "{\"a\":\u00ff\u00ff\u00ff}")]
    [InlineData("Content-Type: multipart/form-data\r\nTransfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")]
    public async Task Reset_ReadsNoBody(string headers, string body)
    {
        await using var app = await StartAsync();

        (await RawAsync(app, $"POST /_threadpool/reset HTTP/1.1\r\nHost: localhost\r\n{headers}", body)).Status.ShouldBe(204);
    }

    // Kestrel accepts 8 kB per line by default; an app may allow more.
    [Fact]
    public async Task Filter_OfAMegabyte_FindsNothing()
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = "Production" });
        builder.WebHost.UseTestServer();
        builder.Logging.ClearProviders();
        builder.Services.AddAsyncProbe(o => o.AllowLocal = true);
        await using var app = builder.Build();
        app.UseAsyncProbe();
        app.MapAsyncProbe();
        app.MapGet("/plain", () => "ok");
        await app.StartAsync().WaitAsync(ProbedApp.Timeout);

        var response = await app.GetTestServer().SendAsync(c =>
        {
            c.Request.Method = "GET";
            c.Request.Host = new("localhost");
            c.Request.Path = "/_threadpool";
            c.Request.QueryString = new("?endpoint=" + new string('x', 1 << 20));
        }).WaitAsync(ProbedApp.Timeout);

        response.Response.StatusCode.ShouldBe(200);
        using var json = await JsonDocument.ParseAsync(response.Response.Body);
        json.RootElement.EndpointNames().ShouldBeEmpty();
    }

    [Fact]
    public async Task Report_HoldsNothingThatACallerSent()
    {
        const string Mark = "s3cr3t";
        await using var app = await StartAsync();
        var body = $"password={Mark}";
        var headers = $"Host: localhost\r\nCookie: session={Mark}\r\nAuthorization: "
            + $"Basic {Mark}\r\nX-Own: {Mark}\r\nUser-Agent: {Mark}\r\nReferer: http://{Mark}/\r\n"
            + $"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {body.Length}\r\n";
        foreach (var target
            in new[] { $"/things/{Mark}?token={Mark}", $"/throw?token={Mark}", $"/block?token={Mark}", $"/nothing/{Mark}",
                $"/_threadpool/{Mark}" })
        {
            await RawAsync(app, $"POST {target} HTTP/1.1\r\n{headers}", body);
            await RawAsync(app, $"{Mark.ToUpperInvariant()} {target} HTTP/1.1\r\n{headers}", body);
        }

        await app.EndpointAsync("POST /block");
        await app.EndpointAsync("POST /throw");
        foreach (var query in new[] { "", $"?endpoint={Mark}", "?history=10" })
        {
            (await app.TextAsync("/_threadpool" + query)).ShouldNotContain(Mark, Case.Insensitive);
        }
    }

    private static Task<ProbedApp> StartAsync() =>
        ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/plain", () => "ok");
                a.MapPost("/things/{id}", (string id) => id);
                a.MapPost("/throw", string (string token) => throw new InvalidOperationException(token));
                a.MapPost("/block", (string token) => Task.Delay(5).Wait());
            },
            "Production",
            b =>
            {
                b.Configuration["AsyncProbe:IncludeStacks"] = "true";
                b.Configuration["AsyncProbe:Detection"] = "Always";
            });

    private static async Task<(int Status, byte[] Body)> RawAsync(ProbedApp app, string head, string body = "")
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, app.Address.Port).WaitAsync(ProbedApp.Timeout);
        await client.GetStream().WriteAsync(Encoding.Latin1.GetBytes($"{head}Connection: close\r\n\r\n{body}")).AsTask()
            .WaitAsync(ProbedApp.Timeout);
        using var received = new MemoryStream();
        await client.GetStream().CopyToAsync(received).WaitAsync(ProbedApp.Timeout);
        var answer = received.ToArray();
        var end = answer.AsSpan().IndexOf("\r\n\r\n"u8);
        end.ShouldBeGreaterThan(0, $"no answer to {head}");
        return (int.Parse(Encoding.ASCII.GetString(answer, "HTTP/1.1 ".Length, 3)), answer[(end + 4)..]);
    }
}
