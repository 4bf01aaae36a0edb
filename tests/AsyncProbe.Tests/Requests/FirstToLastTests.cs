using System.Diagnostics;
using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Requests;

/// <summary>A request is measured from the server's first middleware to the last disposal, wherever UseAsyncProbe is called.</summary>
public sealed class FirstToLastTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";
    private const int Ms = 100;

    [Fact]
    public async Task Rejected_IsCountedUnderItsEndpoint()
    {
        await using var app = await StartAsync(a => a.MapGet("/secret", () => "secret").RequireAuthorization());

        for (var i = 0; i < 3; i++)
        {
            var response = await app.GetAsync("/secret");
            response.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
            response.Headers.Contains(Held).ShouldBeTrue();
        }

        (await app.EndpointAsync("GET /secret", 3)).Count("failed").ShouldBe(0);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["GET /secret"]);
    }

    [Theory]
    [InlineData("Development")]
    [InlineData("Production")]
    public async Task AuthenticationHandler_IsMeasuredAndNamed_WhenItBlocks(string environment)
    {
        await using var app = await StartAsync(a => a.MapGet("/secret", () => "secret").RequireAuthorization(), environment);

        // In Production the first request shows that the endpoint blocks; the next carries the hook.
        for (var i = 1; i <= 2; i++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/secret");
            request.Headers.Add("X-Wait", "yes");
            (await app.Client.SendAsync(request)).StatusCode.ShouldBe(HttpStatusCode.OK);
            (await app.EndpointAsync("GET /secret", i)).StoodStillMs().ShouldBeGreaterThan(0.9 * Ms * i);
        }

        (await app.SitesAsync("GET /secret")).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    [Theory]
    [InlineData("/dispose")]
    [InlineData("/dispose-async")]
    [InlineData("/completed")]
    [InlineData("/completed-later")]
    [InlineData("/registered")]
    [InlineData("/starting-late")]
    public async Task WhatRunsAfterThePipeline_IsCountedAndNamed(string path)
    {
        await using var app = await StartAsync(MapEnds);

        (await app.GetAsync(path)).StatusCode.ShouldBe(path == "/starting-late" ? HttpStatusCode.NoContent : HttpStatusCode.OK);

        var row = await app.EndpointAsync("GET " + path);
        row.StoodStillMs().ShouldBeGreaterThan(0.9 * Ms);
        row.Ms("afterResponseMs").ShouldBe(0);
        row.StoodStillMs("max").ShouldBeGreaterThan(0.9 * Ms);
        (await app.SitesAsync("GET " + path)).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    [Fact]
    public async Task Dispose_IsCounted_AfterManyThatTookNoTime()
    {
        await using var app = await StartAsync(a => a.MapGet("/sometimes", (Sometimes service, bool slow) => service.IsSlow = slow));
        await app.GetManyAsync("/sometimes?slow=false", 40);

        await app.GetAsync("/sometimes?slow=true");

        (await app.EndpointAsync("GET /sometimes", 41)).StoodStillMs("max").ShouldBeGreaterThan(0.9 * Ms);
    }

    [Fact]
    public async Task Callback_IsCountedAgain_OnceItTakesTime()
    {
        await using var app = await StartAsync(a => a.MapGet("/sometimes", (HttpResponse response, bool slow) => response.OnCompleted(() =>
        {
            Thread.Sleep(slow ? Ms : 0);
            return Task.CompletedTask;
        })));
        await app.GetManyAsync("/sometimes?slow=false", 40);

        // Without services of its own the first long one only shows that there is something to follow.
        await app.GetManyAsync("/sometimes?slow=true", 3);

        (await app.EndpointAsync("GET /sometimes", 43)).StoodStillMs().ShouldBeGreaterThan(2 * 0.9 * Ms);
    }

    [Fact]
    public async Task Segments_AreThoseOfThePipeline()
    {
        await using var app = await StartAsync(
            a => a.MapGet("/plain", (Quick _) => "plain"), "Production", b => b.Configuration["AsyncProbe:Detection"] = "Off");

        // The first request waits for routing to be made.
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");
        (await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null)).EnsureSuccessStatusCode();
        await app.GetAsync("/plain");

        (await app.EndpointAsync("GET /plain")).GetProperty("segmentsPerRequest").GetDouble().ShouldBe(1);
    }

    [Fact]
    public async Task Dispose_IsCounted_AfterAnException()
    {
        await using var app = await StartAsync(
            a => a.MapGet("/throws", string (Slow _) => throw new InvalidOperationException("on purpose")), "Production");

        (await app.GetAsync("/throws")).StatusCode.ShouldBe(HttpStatusCode.InternalServerError);

        await Eventually.TrueAsync(
            async () => (await app.EndpointAsync("GET /throws")).Ms("blockedMs") > 0.9 * Ms, "the disposal's time is missing");
        var row = await app.EndpointAsync("GET /throws");
        row.Count("requests").ShouldBe(1);
        row.Count("failed").ShouldBe(1);
        row.Count("inFlight").ShouldBe(0);
    }

    [Fact]
    public async Task ServersOwnFlow_IsLeftAsItWas()
    {
        var flowing = new AsyncLocal<string?>();
        var seen = new List<(string?, string?)>();
        await using var app = await StartAsync(a => a.MapGet("/x", (HttpContext context, Quick _) =>
        {
            flowing.Value = "of the endpoint";
            context.Response.OnCompleted(() =>
            {
                seen.Add((flowing.Value, Activity.Current?.OperationName));
                flowing.Value = "of the callback";
                return Task.CompletedTask;
            });
        }));

        // On one connection, one after the other.
        await app.GetAsync("/x");
        await app.GetAsync("/x");
        await app.EndpointAsync("GET /x", 2);

        seen.ShouldBe([(null, "Microsoft.AspNetCore.Hosting.HttpRequestIn"), (null, "Microsoft.AspNetCore.Hosting.HttpRequestIn")]);
    }

    [Fact]
    public async Task OwnRoutes_AreNeitherCountedNorMarked()
    {
        await using var app = await StartAsync(a =>
        {
            a.UseRouting();
            a.MapGet("/x", () => "x");
        });

        (await app.GetAsync("/_threadpool")).Headers.Contains(Held).ShouldBeFalse();
        await app.GetAsync("/x");
        await app.EndpointAsync("GET /x");

        var report = await app.ReportAsync();
        report.EndpointNames().ShouldBe(["GET /x"]);
        report.ToString().ShouldNotContain("(ignored)");
    }

    [Fact]
    public async Task Branch_IsMeasuredAlone()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Map("/branch", branch => branch.UseAsyncProbe().Run(context => context.Response.WriteAsync("branch")));
                a.MapGet("/x", () => "x");
            },
            usesProbe: false);

        (await app.GetAsync("/x")).Headers.Contains(Held).ShouldBeFalse();
        (await app.GetAsync("/branch")).Headers.Contains(Held).ShouldBeTrue();

        (await app.EndpointAsync("(unmatched)")).Count("requests").ShouldBe(1);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["(unmatched)"]);
    }

    [Fact]
    public async Task BranchAndPipeline_CountOnce()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Map("/branch", branch => branch.UseAsyncProbe().Run(context => context.Response.WriteAsync("branch")));
                a.UseAsyncProbe();
            },
            usesProbe: false);

        await app.GetAsync("/branch");
        await app.GetAsync("/branch");

        (await app.EndpointAsync("(unmatched)", 2)).Count("requests").ShouldBe(2);
    }

    [Fact]
    public async Task WithoutUse_NothingIsInstalled()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/x", (HttpContext context) => context.Features.Get<IAsyncProbeFeature>() is null), usesProbe: false);

        (await app.TextAsync("/x")).ShouldBe("true");
        (await app.ReportAsync()).EndpointNames().ShouldBeEmpty();
    }

    [Theory]
    [InlineData("/dispose", 0)]
    [InlineData("/throws", 1)]
    public async Task InMemoryServer_CountsOnceAndLeavesNothingInFlight(string path, int failed)
    {
        using var host = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s =>
            {
                s.AddRouting().AddAsyncProbe();
                s.AddScoped<Slow>();
            })
            .Configure(a => a.UseRouting().UseAsyncProbe().UseEndpoints(e =>
            {
                e.MapGet("/dispose", (Slow _) => "x");
                e.MapGet("/throws", string () => throw new InvalidOperationException("on purpose"));
                e.MapAsyncProbe();
            }))).UseEnvironment("Development").StartAsync().WaitAsync(ProbedApp.Timeout);
        using var client = host.GetTestClient();

        if (failed == 0)
        {
            await client.GetAsync(new Uri(path, UriKind.Relative));
        }
        else
        {
            await Should.ThrowAsync<InvalidOperationException>(client.GetAsync(new Uri(path, UriKind.Relative)));
        }

        JsonElement row = default;
        await Eventually.TrueAsync(
            async () =>
            {
                var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;
                row = report.GetProperty("endpoints").EnumerateArray()
                    .FirstOrDefault(e => e.GetProperty("endpoint").GetString() == "GET " + path);
                return row.ValueKind == JsonValueKind.Object && row.Count("requests") == 1;
            },
            $"{path} was not counted");
        row.Count("inFlight").ShouldBe(0);
        row.Count("failed").ShouldBe(failed);
        row.StoodStillMs().ShouldBeGreaterThanOrEqualTo(failed == 0 ? 0.9 * Ms : 0);
        await host.StopAsync();
    }

    private static void MapEnds(WebApplication app)
    {
        app.MapGet("/dispose", (Slow _) => "x");
        app.MapGet("/dispose-async", (SlowAsync _) => "x");
        app.MapGet("/completed", (HttpResponse response) =>
        {
            response.OnCompleted(() =>
            {
                Waiting.ForTask(Ms);
                return Task.CompletedTask;
            });
            return "x";
        });
        app.MapGet("/completed-later", (HttpResponse response) =>
        {
            response.OnCompleted(async () =>
            {
                await Task.Delay(5).ConfigureAwait(false);
                Waiting.ForTask(Ms);
            });
            return "x";
        });
        app.MapGet("/registered", (HttpResponse response) =>
        {
            response.RegisterForDispose(new Slow());
            return "x";
        });
        app.MapGet("/starting-late", (HttpResponse response) =>
        {
            response.OnStarting(() =>
            {
                Waiting.ForTask(Ms);
                return Task.CompletedTask;
            });
            return Results.NoContent();
        });
    }

    private static Task<ProbedApp> StartAsync(
        Action<WebApplication> map, string environment = "Development", Action<WebApplicationBuilder>? configure = null) =>
        ProbedApp.StartAsync(map, environment, b =>
        {
            configure?.Invoke(b);
            b.Services.AddAuthentication("header").AddScheme<AuthenticationSchemeOptions, ByHeader>("header", null);
            b.Services.AddAuthorization();
            b.Services.AddScoped<Slow>().AddScoped<SlowAsync>().AddScoped<Quick>().AddScoped<Sometimes>();
        });

    private sealed class Quick : IDisposable
    {
        public void Dispose()
        {
        }
    }

    private sealed class Sometimes : IDisposable
    {
        public bool IsSlow { get; set; }

        public void Dispose() => Thread.Sleep(IsSlow ? Ms : 0);
    }

    private sealed class Slow : IDisposable
    {
        public void Dispose() => Waiting.ForTask(Ms);
    }

    private sealed class SlowAsync : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            Waiting.ForTask(Ms);
        }
    }

    private sealed class ByHeader(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logs, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logs, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
        {
            if (!Request.Headers.ContainsKey("X-Wait"))
            {
                return Task.FromResult(AuthenticateResult.NoResult());
            }

            Waiting.ForTask(Ms);
            var user = new ClaimsPrincipal(new ClaimsIdentity("header"));
            return Task.FromResult(AuthenticateResult.Success(new AuthenticationTicket(user, "header")));
        }
    }
}
