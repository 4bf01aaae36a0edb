using System.Net;
using AsyncProbe.Common;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.OutputCaching;

public sealed class CacheHitTests
{
    [Fact]
    public async Task Hit_IsCountedAndCarriesLiveHeaders()
    {
        await using var app = await StartAsync(a => a.UseOutputCache());
        (await app.GetAsync("/cached")).StoodStillMs().ShouldBeGreaterThan(380);

        var hit = await app.GetAsync("/cached");
        if (hit.Headers.Age is null)
        {
            // A hit in the same clock tick as the entry counts as stale; the next one can't.
            hit = await app.GetAsync("/cached");
        }

        hit.Headers.Age.ShouldNotBeNull();
        hit.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(200, "the stored response's 400 ms must not come back");
        hit.Headers.GetValues("Server-Timing").Count().ShouldBe(1);
        (await app.EndpointAsync("GET /cached", 2)).Count("fromCache").ShouldBeGreaterThanOrEqualTo(1);
    }

    [Fact]
    public async Task NotModified_IsCountedAsAHit_ThoughItHasNoAge()
    {
        await using var app = await StartAsync(a => a.UseOutputCache());
        await app.GetAsync("/cached");
        await app.GetAsync("/cached");

        using var request = new HttpRequestMessage(HttpMethod.Get, "/cached");
        request.Headers.TryAddWithoutValidation("If-None-Match", "\"v1\"");
        var response = await app.Client.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        response.Headers.Contains("X-ThreadPool-Available-Workers").ShouldBeTrue();
        (await app.EndpointAsync("GET /cached", 3)).Count("fromCache").ShouldBeGreaterThanOrEqualTo(2);
    }

    [Fact]
    public async Task Uncached_StaysUncached_ThoughAPolicyOfOursIsThere()
    {
        var calls = 0;
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.MapGet("/plain", () => Interlocked.Increment(ref calls));
            },
            configure: b => b.Services.AddOutputCache());

        await app.GetAsync("/plain");
        await app.GetAsync("/plain");

        calls.ShouldBe(2);
        (await app.EndpointAsync("GET /plain", 2)).Count("fromCache").ShouldBe(0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Hit_IsCounted_WhicheverIsUsedFirst(bool cacheIsFirst)
    {
        await using var app = await StartAsync(
            a =>
            {
                if (cacheIsFirst)
                {
                    a.UseOutputCache();
                }

                a.UseAsyncProbe();
                if (!cacheIsFirst)
                {
                    a.UseOutputCache();
                }
            },
            usesProbe: false);
        for (var i = 0; i < 3; i++)
        {
            (await app.GetAsync("/cached")).Headers.Contains("X-AsyncProbe-Held-Ms").ShouldBeTrue();
        }

        (await app.EndpointAsync("GET /cached", 3)).Count("fromCache").ShouldBeGreaterThanOrEqualTo(1);
        Warnings(app).ShouldBe(0);
    }

    // Output caching didn't skip the first pass once, because of a base policy of AsyncProbe. So the second pass threw.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Request_Succeeds_WhenItPassesTheCacheTwice(bool usesProbe)
    {
        await using var app = await StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.Map("/branch", branch => branch.UseOutputCache().Run(context => context.Response.WriteAsync("branch")));
            },
            usesProbe);

        (await app.TextAsync("/branch")).ShouldBe("branch");
    }

    [Fact]
    public async Task BasePolicyOfTheApp_KeepsItsFeature()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.MapGet("/", (HttpContext context) => $"{context.Features.Get<IOutputCacheFeature>()?.Context.EnableOutputCaching}");
            },
            configure: b => b.Services.AddOutputCache(o => o.AddBasePolicy(policy => policy.NoCache())));

        (await app.TextAsync("/")).ShouldBe(bool.FalseString);
    }

    // The cached endpoint turns output caching on, and the error handler passes it again without an endpoint.
    [Fact]
    public async Task App_IsUnchanged_WithoutUseAsyncProbe()
    {
        await using var app = await StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.UseExceptionHandler("/error");
                a.Map("/error", branch => branch.UseOutputCache().Run(context => context.Response.WriteAsync("error")));
                a.MapGet("/fails", string () => throw new InvalidOperationException("a test")).CacheOutput();
            },
            usesProbe: false);

        (await (await app.GetAsync("/fails")).Content.ReadAsStringAsync()).ShouldBe("error");
    }

    [Fact]
    public async Task Branch_IsWarnedOf_Once_WhenTheCacheComesBeforeIt()
    {
        await using var app = await StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.UseWhen(_ => true, branch => branch.UseAsyncProbe());
            },
            usesProbe: false);
        await app.GetAsync("/cached?a");
        await app.GetAsync("/cached?b");

        Warnings(app).ShouldBe(1);
    }

    [Fact]
    public async Task Branch_IsNotWarnedOf_WhenItsRequestsAreNotCached()
    {
        await using var app = await StartAsync(
            a =>
            {
                a.UseOutputCache();
                a.UseWhen(_ => true, branch => branch.UseAsyncProbe());
            },
            usesProbe: false);
        await app.GetAsync("/other");

        Warnings(app).ShouldBe(0);
    }

    [Fact]
    public async Task Branch_IsNotWarnedOf_WhenTheCacheComesAfterIt()
    {
        await using var app = await StartAsync(
            a =>
            {
                a.Map("/branch", branch => branch.UseAsyncProbe().Run(context => context.Response.WriteAsync("branch")));
                a.UseOutputCache();
            },
            usesProbe: false);
        await app.GetAsync("/branch");
        await app.GetAsync("/cached");

        Warnings(app).ShouldBe(0);
    }

    private static int Warnings(ProbedApp app) =>
        app.Log.All.Count(line => line.Id.Name == nameof(Log.BehindOutputCache));

    private static Task<ProbedApp> StartAsync(Action<WebApplication> middleware, bool usesProbe = true) =>
        ProbedApp.StartAsync(
            a =>
            {
                middleware(a);
                a.MapGet("/other", () => "other");
                a.MapGet("/cached", (HttpResponse response) =>
                {
                    Thread.Sleep(400);
                    response.Headers.ETag = "\"v1\"";
                    return "cached";
                }).CacheOutput();
            },
            configure: b => b.Services.AddOutputCache(),
            usesProbe: usesProbe);
}
