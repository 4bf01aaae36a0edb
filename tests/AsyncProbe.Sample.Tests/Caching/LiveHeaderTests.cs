using System.Net;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>A cached answer has headers about the pool as it is now, and is counted.</summary>
public sealed class LiveHeaderTests
{
    private static readonly string[] PoolHeaders =
    [
        "X-ThreadPool-Available-Workers", "X-ThreadPool-Available-IO", "X-ThreadPool-Threads", "X-ThreadPool-Pending",
        "X-ThreadPool-Queue-Delay-Ms", "X-AsyncProbe-Held-Ms", "X-AsyncProbe-Blocked-Ms", "Server-Timing",
    ];

    [Fact]
    public async Task Hit_CarriesLiveHeaders_WhenTheKeptAnswerWasSlow()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/slow");
        using var hit = await app.GetAsync("/cached/slow");
        using var unchanged = await app.SendAsync("GET", "/cached/slow", ("If-None-Match", first.Headers.ETag!.ToString()));

        unchanged.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        first.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(550);
        foreach (var answer in new[] { hit, unchanged })
        {
            answer.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(300, "the stored figure would be above 550");
            foreach (var header in PoolHeaders)
            {
                answer.One(header).ShouldNotBeEmpty();
            }
        }
    }

    [Fact]
    public async Task Hit_IsCountedAsFromCache_WhenItIsServedOrUnchanged()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/plain");
        using var hit = await app.GetAsync("/cached/plain");
        using var unchanged = await app.SendAsync("GET", "/cached/plain", ("If-None-Match", first.Headers.ETag!.ToString()));

        var row = await app.EndpointAsync("GET /cached/Plain", requests: 3);

        row.GetProperty("requests").GetInt64().ShouldBe(3);
        row.GetProperty("fromCache").GetInt64().ShouldBe(2);
    }
}
