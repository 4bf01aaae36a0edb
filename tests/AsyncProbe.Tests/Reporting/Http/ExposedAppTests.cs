using System.Net;
using System.Net.Sockets;
using System.Security.Claims;
using System.Text.Encodings.Web;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.AspNetCore.Mvc.ApiExplorer;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>Who is answered outside Development, through real proxies, relays and sockets.</summary>
public sealed class ExposedAppTests
{
    private static readonly string[] s_routes = ["", "/page.js", "/page.css", "/reset", "/snapshot"];

    [Fact]
    public async Task Production_AnswersNobody_UntilTheAppSaysWhom()
    {
        await using var app = await StartAsync(allowLocal: false);

        foreach (var route in s_routes)
        {
            foreach (var method in new[] { "GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE", "PATCH", "ODD" })
            {
                using var response = await SendAsync(app.Client, method, "/_threadpool" + route);
                response.StatusCode.ShouldBe(HttpStatusCode.NotFound, $"{method} {route}");
                (await response.Content.ReadAsStringAsync()).ShouldBeEmpty();
            }
        }
    }

    // The reason for the rule: nginx as it is installed leaves no mark, and asks under the loopback name.
    [Fact]
    public async Task Nginx_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked()
    {
        await using var app = await StartAsync(allowLocal: false);
        await using var careless = await StartAsync(allowLocal: true);
        await using var nginx = await Nginx.StartAsync(Target(app));
        await using var carelessNginx = await Nginx.StartAsync(Target(careless));

        (await StatusAsync(nginx.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(carelessNginx.Client)).ShouldBe(HttpStatusCode.OK);
    }

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
    public async Task AllowLocal_RefusesAUnixSocket_BehindWhichAProxyIsLikely()
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "kestrel.sock");
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.UseForwardedHeaders(TrustEverybody(null)),
            configure: b => b.WebHost.ConfigureKestrel(k =>
            {
                k.Listen(IPAddress.Loopback, 0);
                k.ListenUnixSocket(path);
            }));
        using var direct = new HttpClient(new SocketsHttpHandler
        {
            ConnectCallback = async (_, cancellation) =>
            {
                var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellation);
                return new NetworkStream(socket, ownsSocket: true);
            },
        }) { BaseAddress = new Uri("http://localhost"), Timeout = ProbedApp.Timeout };
        await using var nginx = await Nginx.StartAsync($"http://unix:{path}:");

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(direct)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(nginx.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(nginx.Client, ("X-Forwarded-For", "127.0.0.1"))).ShouldBe(HttpStatusCode.NotFound);
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

    [Fact]
    public async Task HostPolicy_LiftsNothing()
    {
        await using var app = await StartAsync(allowLocal: false, report: r => r.RequireHost("localhost", "127.0.0.1"));

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Authorization_AnswersWhoPassesIt()
    {
        await using var app = await StartAsync(allowLocal: false, configure: AddKeys, report: r => r.RequireAuthorization());

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(app.Client, ("X-Key", "operator"), ("X-Forwarded-For", "10.1.2.3"), ("Host", "shop.example"))).ShouldBe(
            HttpStatusCode.OK);
    }

    [Fact]
    public async Task Authorization_IsTakenBack_WhereAnonymousCallersAreAllowed()
    {
        await using var app = await StartAsync(
            allowLocal: false, configure: AddKeys, report: r => r.RequireAuthorization().AllowAnonymous());
        await using var anonymous = await StartAsync(allowLocal: false, configure: AddKeys, report: r => r.AllowAnonymous());

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(app.Client, ("X-Key", "operator"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(anonymous.Client)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task FallbackPolicy_LiftsNothing()
    {
        await using var app = await StartAsync(allowLocal: false, configure: b =>
        {
            AddKeys(b);
            b.Services.AddAuthorizationBuilder().SetFallbackPolicy(new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build());
        });

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(app.Client, ("X-Key", "operator"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task Report_IsNotThere_UnlessItIsMapped(string environment)
    {
        await using var app = await StartInMemoryAsync(allowLocal: true, isMapped: false, environment);

        foreach (var route in s_routes)
        {
            using var response = await SendAsync(app.GetTestClient(), "GET", "/_threadpool" + route);
            response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        }
    }

    [Fact]
    public async Task Headers_NameNothing_OutsideDevelopment()
    {
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.MapGet("/block", () => Task.Delay(Waiting.LongEnoughMs).Wait()),
            configure: b =>
            {
                b.Configuration["AsyncProbe:EmitHeaders"] = "true";
                b.Configuration["AsyncProbe:Detection"] = "Always";
            });

        using var response = await app.GetAsync("/block");

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(10);
        response.Headers.Where(h => h.Key.StartsWith("X-", StringComparison.Ordinal))
            .SelectMany(h => h.Value).ShouldAllBe(v => v.All(c => char.IsAsciiDigit(c) || c == '.'));
    }

    // The framework's own check is off, or does not look at policies: nobody would have asked the caller for anything.
    [Fact]
    public async Task Authorization_DoesNotCount_WhereNothingEnforcesIt()
    {
        var policy = new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build();
        await using var unchecked_ = await StartAsync(
            allowLocal: false,
            configure: b => b.Services.Configure<RouteOptions>(o => o.SuppressCheckForUnhandledSecurityMetadata = true),
            report: r => r.WithMetadata(new AuthorizeAttribute()));
        await using var policyAlone = await StartAsync(allowLocal: false, report: r => r.WithMetadata(policy));

        (await StatusAsync(unchecked_.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(policyAlone.Client)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task ManagementPort_AnswersThereAlone()
    {
        var port = FreePort.Take();
        await using var app = await StartAsync(allowLocal: false, configure: b =>
        {
            b.Configuration["AsyncProbe:ManagementPort"] = $"{port}";
            b.WebHost.UseUrls("http://127.0.0.1:0", $"http://127.0.0.1:{port}");
        });
        var other = app.Address.Port == port ? throw new InvalidOperationException("the first address comes first") : app.Client;
        using var management = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = ProbedApp.Timeout };

        (await StatusAsync(management)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(other)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(other, ("Host", $"127.0.0.1:{port}"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(other, ("X-Forwarded-Port", $"{port}"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin(string environment)
    {
        await using var app = await StartAsync(
            allowLocal: true,
            environment: environment,
            configure: b => b.Services.AddCors(),
            map: a => a.UseCors(p => p.AllowAnyOrigin().AllowAnyHeader().AllowAnyMethod()));

        (await StatusAsync(app.Client, ("Origin", "http://evil.example"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(app.Client, ("Origin", app.Address.GetLeftPart(UriPartial.Authority)))).ShouldBe(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("Origin", "http://evil.example")]
    [InlineData("Origin", "null")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public async Task Post_OfAnotherSitesPage_ChangesNothing(string header, string value)
    {
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.MapGet("/plain", () => "ok"),
            configure: b => b.Configuration["AsyncProbe:AllowRemote"] = "true");
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");

        using var reset = await SendAsync(app.Client, "POST", "/_threadpool/reset", (header, value));
        using var snapshot = await SendAsync(app.Client, "POST", "/_threadpool/snapshot", (header, value));

        reset.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        snapshot.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        (await app.ReportAsync()).EndpointNames().ShouldContain("GET /plain");
    }

    [Fact]
    public async Task Start_SaysOnceThatNobodyIsAnswered_AndHowToChangeThat()
    {
        await using var app = await StartAsync(allowLocal: false);

        var line = app.Log.All.Single(l => l.Id.Id == 4);
        line.Level.ShouldBe(LogLevel.Information);
        line.Text.ShouldStartWith("The report at /_threadpool answers 404 to everybody");
        foreach (var way
            in new[] { "RequireAuthorization()", "AsyncProbe:ManagementPort", "AsyncProbe:AllowLocal", "AsyncProbe:AllowRemote" })
        {
            line.Text.ShouldContain(way);
        }
    }

    [Theory]
    [InlineData("Development", "AllowLocal", "false", false)]
    [InlineData("Production", "AllowLocal", "true", false)]
    [InlineData("Production", "AllowRemote", "true", false)]
    [InlineData("Production", "ManagementPort", "9000", false)]
    [InlineData("Production", "AllowLocal", "false", true)]
    public async Task Start_SaysNothing_WhereSomebodyIsAnswered(string environment, string option, string value, bool isAuthorized)
    {
        await using var app = await StartAsync(
            allowLocal: false,
            environment: environment,
            configure: b =>
            {
                b.Configuration[$"AsyncProbe:{option}"] = value;
                AddKeys(b);
            },
            report: r => _ = isAuthorized ? r.RequireAuthorization() : r);

        app.Log.All.ShouldNotContain(l => l.Id.Id == 4);
    }

    [Fact]
    public async Task ApiDescriptions_DoNotShowTheReport()
    {
        await using var app = await StartAsync(
            allowLocal: true, map: a => a.MapGet("/plain", () => "ok"), configure: b => b.Services.AddEndpointsApiExplorer());

        var paths = app.Services.GetRequiredService<IApiDescriptionGroupCollectionProvider>().ApiDescriptionGroups.Items
            .SelectMany(g => g.Items).Select(i => i.RelativePath).ToList();

        paths.ShouldBe(["plain"]);
    }

    private static Task<ProbedApp> StartAsync(
        bool allowLocal,
        Action<WebApplication>? map = null,
        string environment = "Production",
        Action<WebApplicationBuilder>? configure = null,
        Action<IEndpointConventionBuilder>? report = null) =>
        ProbedApp.StartAsync(
            map ?? (_ => { }),
            environment,
            b =>
            {
                b.Configuration["AsyncProbe:AllowLocal"] = $"{allowLocal}";
                configure?.Invoke(b);
            },
            report: report);

    private static async Task<WebApplication> StartInMemoryAsync(bool allowLocal, bool isMapped = true, string environment = "Production")
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = environment });
        builder.WebHost.UseTestServer();
        builder.Logging.ClearProviders();
        builder.Services.AddAsyncProbe(o => o.AllowLocal = allowLocal);
        var app = builder.Build();
        app.UseAsyncProbe();
        if (isMapped)
        {
            app.MapAsyncProbe();
        }

        await app.StartAsync().WaitAsync(ProbedApp.Timeout);
        return app;
    }

    private static ForwardedHeadersOptions TrustEverybody(string? originalForHeader)
    {
        var options = new ForwardedHeadersOptions { ForwardedHeaders = ForwardedHeaders.XForwardedFor };
        options.OriginalForHeaderName = originalForHeader ?? options.OriginalForHeaderName;
        options.KnownIPNetworks.Clear();
        options.KnownProxies.Clear();
        return options;
    }

    private static string Target(ProbedApp app) => app.Address.GetLeftPart(UriPartial.Authority);

    private static async Task<HttpStatusCode> StatusAsync(HttpClient client, params (string Name, string Value)[] headers)
    {
        using var response = await SendAsync(client, "GET", "/_threadpool", headers);
        return response.StatusCode;
    }

    private static async Task<HttpResponseMessage> SendAsync(
        HttpClient client, string method, string path, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value).ShouldBeTrue();
        }

        return await client.SendAsync(request).WaitAsync(ProbedApp.Timeout);
    }

    private static void AddKeys(WebApplicationBuilder builder)
    {
        builder.Services.AddAuthentication("key").AddScheme<AuthenticationSchemeOptions, KeyHandler>("key", null);
        builder.Services.AddAuthorization();
    }

    private sealed class KeyHandler(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync() =>
            Task.FromResult(Request.Headers["X-Key"] == "operator"
                ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity("key")), "key"))
                : AuthenticateResult.NoResult());
    }

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("asyncprobe-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
