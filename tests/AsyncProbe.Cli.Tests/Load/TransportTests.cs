using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Load;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Cli.Tests.Load;

/// <summary>HTTP/2 in clear text and over TLS, and untrusted certificates.</summary>
[SideBySide]
public class TransportTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Http2_IsSpoken_WhenAskedFor(bool tls)
    {
        await using var server = await StartAsync(tls, HttpProtocols.Http2);

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/protocol", "--http2", "-k", "-t", "2", "--requests", "20", "-w", "0", "--probe", "off",
            "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((long)tool.Json["total"]!["failed"]!).ShouldBe(0);
        // The length of the answer shows the protocol: a server that speaks only HTTP/2 answered in HTTP/2.
        ((long)tool.Json["total"]!["bytesReceived"]!).ShouldBe(20 * "HTTP/2".Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_IsReadOverHttp2_FromAServerThatSpeaksNothingElse(bool tls)
    {
        await using var server = await StartAsync(tls, HttpProtocols.Http2);

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/protocol", "--http2", "-k", "--requests", "5", "-w", "0", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((string)tool.Json["server"]!["status"]!).ShouldBe("joined");
    }

    [Fact]
    public async Task Report_IsReadAsItsServerSpeaks_WhenItIsAnotherServer()
    {
        await using var server = await StartAsync(tls: false, HttpProtocols.Http2);
        await using var reporter = await StartAsync(tls: false, HttpProtocols.Http1);

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/protocol", "--http2", "--probe", reporter.Urls.First() + "/_threadpool", "--requests", "5",
            "-w", "0", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((string)tool.Json["server"]!["status"]!).ShouldBe("joined");
    }

    [Fact]
    public async Task Permission_IsAskedOverHttp2_OfAServerThatSpeaksNothingElse()
    {
        await using var server = await StartAsync(tls: false, HttpProtocols.Http2, app => app.MapGet("/websurge-allow.txt", () => ""));

        (await RemotePermission.IsGivenAsync(new Uri(server.Urls.First()), new LoadSettings { Http2 = true }, default)).ShouldBeTrue();
    }

    [Theory]
    [InlineData(HttpProtocols.Http1)]
    [InlineData(HttpProtocols.Http2)]
    public async Task Host_IsTheTypedOne_WithBothVersions(HttpProtocols protocols)
    {
        var hosts = new ConcurrentQueue<string>();
        await using var server = await StartAsync(
            false, protocols, app => app.MapGet("/host", (HttpRequest request) => hosts.Enqueue(request.Host.ToString())));
        string[] version = protocols == HttpProtocols.Http2 ? ["--http2"] : [];

        var tool = await Tool.RunAsync(
            ["run", server.Urls.First() + "/host", "--once", "--probe", "off", "-H", "Host: shop.local", .. version]);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        hosts.ShouldBe(["shop.local"]);
    }

    [Fact]
    public async Task Host_IsAlsoTheName_ForWhichTheServerChoosesItsCertificate()
    {
        var names = new ConcurrentQueue<string?>();
        await using var server = await StartAsync(tls: true, HttpProtocols.Http1, onHandshake: names.Enqueue);

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/protocol", "--once", "-k", "--probe", "off", "-H", "Host: shop.local:8443");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        // One handshake checks the certificate before the load.
        names.ShouldBe(["shop.local", "shop.local"]);
    }

    /// <summary>No request is answered until all eight have arrived. With one at a time per connection, none would ever be.</summary>
    [Theory]
    [InlineData("-t 8 --requests 8")]
    [InlineData("-t 8 --rate 100 --requests 8")]
    public async Task Connections_AreShared_WithManyRequestsAtOnceOnEach(string load)
    {
        var arrived = new ConcurrentQueue<string>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = await StartAsync(false, HttpProtocols.Http2, app => app.MapGet("/gate", async (HttpContext context) =>
        {
            arrived.Enqueue(context.Connection.Id);
            if (arrived.Count == 8)
            {
                all.TrySetResult();
            }

            await all.Task.WaitAsync(context.RequestAborted);
        }));

        var tool = await Tool.RunAsync(
            ["run", server.Urls.First() + "/gate", "--http2", "--connections", "2", .. load.Split(' '), "-w", "0", "--probe", "off",
                "--timeout", "50s", "--json"]);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((long)tool.Json["total"]!["failed"]!).ShouldBe(0);
        arrived.CountBy(id => id).Select(connection => connection.Value).ShouldBe([4, 4]);
        ((int)tool.Json["load"]!["sharedConnections"]!).ShouldBe(2);
    }

    /// <summary>The first two requests wait for each other, so both threads send; each then sends its own cookie back.</summary>
    [Fact]
    public async Task Cookies_StayThoseOfAThread_WhenAConnectionIsShared()
    {
        var seen = new ConcurrentQueue<string>();
        var strangers = 0;
        var both = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = await StartAsync(false, HttpProtocols.Http2, app => app.MapGet("/visit", async (HttpContext context) =>
        {
            if (context.Request.Cookies["who"] is { } who)
            {
                seen.Enqueue(who);
                return;
            }

            var number = Interlocked.Increment(ref strangers);
            if (number == 2)
            {
                both.SetResult();
            }

            await both.Task.WaitAsync(context.RequestAborted);
            context.Response.Cookies.Append("who", $"thread {number}");
        }));

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/visit", "--http2", "--connections", "1", "-t", "2", "--requests", "40", "-w", "0",
            "--probe", "off", "--timeout", "50s");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        strangers.ShouldBe(2);
        seen.Count.ShouldBe(38);
        seen.ShouldBeSubsetOf(["thread 1", "thread 2"]);
    }

    [Fact]
    public async Task Http11_IsSpoken_WhenNothingIsSaid()
    {
        await using var server = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);

        var tool = await Tool.RunAsync(
            "run", server.Urls.First() + "/protocol", "-k", "--requests", "5", "-w", "0", "--probe", "off", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((long)tool.Json["total"]!["bytesReceived"]!).ShouldBe(5 * "HTTP/1.1".Length);
    }

    [Fact]
    public async Task Http2_FailsWithAReason_WhenTheServerDoesNotSpeakIt()
    {
        await using var server = await StartAsync(tls: false, HttpProtocols.Http1);

        var tool = await Tool.RunAsync("run", server.Urls.First() + "/protocol", "--http2", "--requests", "3", "-w", "0", "--probe", "off");

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("every request failed");
    }

    [Fact]
    public async Task Certificate_IsRefused_UnlessInsecure()
    {
        await using var server = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);
        var url = server.Urls.First() + "/protocol";

        var refused = await Tool.RunAsync("run", url, "--requests", "3", "-w", "0", "--probe", "off");
        var accepted = await Tool.RunAsync("run", url, "--requests", "3", "-w", "0", "--probe", "off", "--insecure");

        refused.ExitCode.ShouldBe(3);
        refused.Messages.Trim().ShouldNotContain('\n');
        refused.Messages.ShouldContain("is not trusted");
        refused.Results.ShouldBeEmpty();
        accepted.ExitCode.ShouldBe(0, accepted.Messages);
    }

    [Fact]
    public async Task Https_ToAPortForHttp_StopsBeforeTheLoad()
    {
        await using var server = await StartAsync(tls: false, HttpProtocols.Http1);

        var refused = await Tool.RunAsync(
            "run", server.Urls.First().Replace("http:", "https:", StringComparison.Ordinal), "--requests", "3", "-w", "0", "-k");

        refused.ExitCode.ShouldBe(3);
        refused.Messages.ShouldContain("TLS");
    }

    [Fact]
    public async Task Certificate_IsRefused_WhenOnlyTheSessionWouldTakeIt()
    {
        await using var server = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);
        using var folder = new TemporaryFolder();
        var session = folder.Write("s.websurge", $$"""
            GET {{server.Urls.First()}}/protocol HTTP/1.1

            -----

            ----- Start WebSurge Options -----
            { "IgnoreCertificateErrors": true }
            ----- End WebSurge Options -----

            """);

        var refused = await Tool.RunAsync("run", session, "--requests", "3", "-w", "0", "--probe", "off");
        var accepted = await Tool.RunAsync("run", session, "--requests", "3", "-w", "0", "--probe", "off", "-k");

        refused.ExitCode.ShouldBe(3);
        refused.Messages.ShouldContain("to accept any certificate, type -k");
        accepted.ExitCode.ShouldBe(0, accepted.Messages);
    }

    [Fact]
    public async Task Report_IsReadOverTls_AndOnlyInsecureFromAnybody()
    {
        await using var server = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);

        var refused = await Tool.RunAsync("report", server.Urls.First());
        var read = await Tool.RunAsync("report", server.Urls.First(), "-k");

        refused.ExitCode.ShouldBe(3);
        read.ExitCode.ShouldBe(0, read.Messages);
        read.Results.ShouldContain("7 threads");
        refused.Messages.ShouldContain("dotnet dev-certs");
    }

    [Fact]
    public async Task Observe_SaysWhoseCertificateIsNotTrusted_AndTheOthersGoOn()
    {
        await using var untrusted = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);
        await using var good = await StartAsync(tls: false, HttpProtocols.Http1);

        var observed = await Tool.RunAsync("observe", untrusted.Urls.First(), good.Urls.First(), "-s", "1");

        observed.ExitCode.ShouldBe(0, observed.Messages);
        observed.Results.ShouldContain("1 of 2 could not be observed");
        observed.Results.ShouldContain("to accept any certificate, type -k");
    }

    [Fact]
    public async Task Untrusted_IsTheHostThatTheRedirectLeadsTo_AndWatchDoesNotAskAgain()
    {
        await using var secure = await StartAsync(tls: true, HttpProtocols.Http1AndHttp2);
        var target = secure.Urls.First();
        await using var plain = await StartAsync(
            tls: false, HttpProtocols.Http1,
            app => app.Use((HttpContext context, RequestDelegate _) =>
            {
                context.Response.Redirect(target + context.Request.Path, permanent: false, preserveMethod: true);
                return Task.CompletedTask;
            }));

        var observed = await Tool.RunAsync("observe", plain.Urls.First(), "-s", "1");
        var watched = await Tool.RunAsync("watch", plain.Urls.First());

        observed.Results.ShouldContain($"{target} is not trusted.");
        watched.ExitCode.ShouldBe(3);
        watched.Messages.ShouldContain($"{target} is not trusted.");
    }

    private static async Task<WebApplication> StartAsync(
        bool tls, HttpProtocols protocols, Action<WebApplication>? map = null, Action<string?>? onHandshake = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Protocols = protocols;
            if (tls)
            {
                var certificate = SelfSigned();
                listen.UseHttps(https => https.ServerCertificateSelector = (_, name) =>
                {
                    onHandshake?.Invoke(name);
                    return certificate;
                });
            }
        }));
        var app = builder.Build();
        app.MapGet("/_threadpool", () => TypedResults.Text("""{ "schema": 1, "pool": { "threads": 7 } }""", "application/json"));
        app.MapGet("/protocol", (HttpRequest request) => request.Protocol);
        map?.Invoke(app);
        await app.StartAsync();
        return app;
    }

    private static X509Certificate2 SelfSigned()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=127.0.0.1", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
