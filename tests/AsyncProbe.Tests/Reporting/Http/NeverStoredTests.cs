using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>Even caches in the app that store everything must not store the report.</summary>
public sealed class NeverStoredTests
{
    private static readonly string[] s_paths =
    [
        "/_threadpool", "/_threadpool?endpoint=plain", "/_threadpool?history=10", "/_threadpool/page.js", "/_threadpool/page.css",
    ];

    public enum Cache
    {
        BasePolicy,
        BeforeRouting,
        PolicyOnTheReport,
        AttributeOnTheReport,
        StubbornPolicies,
    }

    [Theory]
    [InlineData(Cache.BasePolicy)]
    [InlineData(Cache.BeforeRouting)]
    [InlineData(Cache.PolicyOnTheReport)]
    [InlineData(Cache.AttributeOnTheReport)]
    [InlineData(Cache.StubbornPolicies)]
    public async Task OutputCaching_NeitherStoresNorServesTheReport(Cache cache)
    {
        var store = new Store();
        await using var app = await StartAsync(cache, store);
        foreach (var path in s_paths)
        {
            await AskTwiceAsync(app, path);
        }

        using var cached = await SendAsync(app, "/plain");
        store.Keys.ShouldBe(["plain"]);
    }

    [Fact]
    public async Task OutputCaching_DoesNotServeAReport_ThatSomethingElseHasStored()
    {
        // Stores the cached entry of "/plain" under the key of every path that is requested.
        var store = new Store();
        await using var app = await StartAsync(Cache.BasePolicy, store);
        using var plain = await SendAsync(app, "/plain");
        store.ServesForAll = true;

        foreach (var path in s_paths)
        {
            using var response = await SendAsync(app, path);
            (await response.Content.ReadAsStringAsync()).ShouldNotBe("plain", path);
        }
    }

    [Fact]
    public async Task ResponseCaching_NeitherStoresNorServesTheReport_ThoughTheAppMakesEverythingPublic()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.UseResponseCaching();
                a.Use((context, next) =>
                {
                    context.Response.Headers.CacheControl = "public, max-age=600";
                    return next(context);
                });
                a.MapGet("/plain", () => "plain");
            },
            "Production",
            b => b.Services.AddResponseCaching());

        foreach (var path in s_paths)
        {
            await AskTwiceAsync(app, path);
        }

        using var first = await SendAsync(app, "/plain");
        using var second = await SendAsync(app, "/plain");
        second.Headers.Age.ShouldNotBeNull("response caching is at work");
    }

    /// <summary>First a caller who may see it, as a browser and as a program; then a stranger; then the first caller again.</summary>
    private static async Task AskTwiceAsync(ProbedApp app, string path)
    {
        using var page = await SendAsync(app, path, ("Accept", "text/html"));
        page.StatusCode.ShouldBe(HttpStatusCode.OK, path);
        using var json = await SendAsync(app, path, ("Accept", "application/json"));
        json.StatusCode.ShouldBe(HttpStatusCode.OK, path);
        using var stranger = await SendAsync(app, path, ("X-Forwarded-For", "10.1.2.3"));
        stranger.StatusCode.ShouldBe(HttpStatusCode.NotFound, path);
        (await stranger.Content.ReadAsStringAsync()).ShouldBeEmpty();
        using var again = await SendAsync(app, path);
        again.StatusCode.ShouldBe(HttpStatusCode.OK, path);

        if (!path.Contains('.', StringComparison.Ordinal))
        {
            page.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
            json.Content.Headers.ContentType!.MediaType.ShouldBe("application/json");
        }

        foreach (var response in new[] { page, json, stranger, again })
        {
            response.Headers.CacheControl!.ToString().ShouldBe("no-store");
            response.Headers.Age.ShouldBeNull();
        }
    }

    private static Task<ProbedApp> StartAsync(Cache cache, Store store) =>
        ProbedApp.StartAsync(
            a =>
            {
                a.UseOutputCache();
                if (cache == Cache.BeforeRouting)
                {
                    a.UseRouting();
                }

                a.MapGet("/plain", () => "plain");
            },
            "Production",
            b =>
            {
                b.Services.AddSingleton<IOutputCacheStore>(store);
                b.Services.AddOutputCache(o =>
                {
                    o.AddBasePolicy(p => p.Expire(TimeSpan.FromMinutes(10)));
                    if (cache == Cache.StubbornPolicies)
                    {
                        o.AddBasePolicy(new Stubborn());
                    }
                });
            },
            report: r => _ = cache switch
            {
                Cache.PolicyOnTheReport => r.CacheOutput(p => p.Expire(TimeSpan.FromMinutes(10))),
                Cache.AttributeOnTheReport => r.WithMetadata(new OutputCacheAttribute { Duration = 600 }),
                Cache.StubbornPolicies => r.WithMetadata(new Stubborn()),
                _ => r,
            });

    private static async Task<HttpResponseMessage> SendAsync(ProbedApp app, string path, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value).ShouldBeTrue();
        }

        return await app.Client.SendAsync(request).WaitAsync(ProbedApp.Timeout);
    }

    /// <summary>Wants everything stored, whatever its status.</summary>
    private sealed class Stubborn : IOutputCachePolicy
    {
        public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation)
        {
            context.EnableOutputCaching = true;
            context.AllowCacheLookup = true;
            return ServeResponseAsync(context, cancellation);
        }

        public ValueTask ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => ValueTask.CompletedTask;

        public ValueTask ServeResponseAsync(OutputCacheContext context, CancellationToken cancellation)
        {
            context.AllowCacheStorage = true;
            return ValueTask.CompletedTask;
        }
    }

    /// <summary>The stored entries, by the path in their key.</summary>
    private sealed class Store : IOutputCacheStore
    {
        private readonly ConcurrentDictionary<string, byte[]> _entries = new();

        public IEnumerable<string> Keys =>
            _entries.Keys.Select(key => key.Contains("/PLAIN", StringComparison.OrdinalIgnoreCase) ? "plain" : key);

        public bool ServesForAll { get; set; }

        public ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
            ValueTask.FromResult(ServesForAll ? _entries.Values.First() : _entries.GetValueOrDefault(key));

        public ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
        {
            _entries[key] = value;
            return ValueTask.CompletedTask;
        }

        public ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
