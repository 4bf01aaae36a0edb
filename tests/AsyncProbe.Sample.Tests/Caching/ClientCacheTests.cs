using System.Net;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>The caching headers that the client gets, and what happens to its tag.</summary>
public sealed class ClientCacheTests
{
    [Theory]
    [InlineData("/cached/clientOnly", "max-age=7")]
    [InlineData("/cached/plain", "max-age=50")]
    [InlineData("/cached/revalidated", "max-age=7, must-revalidate")]
    [InlineData("/cached/own", "max-age=7, private")]
    [InlineData("/cached/asked", "no-cache")]
    public async Task CacheOutput_TellsTheClient_WhenFirstAskedAndOnAHit(string path, string expected)
    {
        await using var app = await CachingApp.StartAsync();
        for (var i = 0; i < 2; i++)
        {
            using var answer = await app.GetAsync(path);
            var told = answer.Headers.CacheControl.ShouldNotBeNull().ToString();
            told.Split(", ").Order().ShouldBe(expected.Split(", ").Order());
        }
    }

    [Fact]
    public async Task NoCache_IsSaidToOldClientsToo_WhenSet()
    {
        await using var app = await CachingApp.StartAsync();
        using var answer = await app.GetAsync("/cached/asked");
        answer.One("Pragma").ShouldBe("no-cache");
    }

    [Fact]
    public async Task AnonymousOnly_TellsOnlyStrangers_WhenSet()
    {
        await using var app = await CachingApp.StartAsync();
        using var stranger = await app.GetAsync("/cached/anonymous");
        using var known = await app.SendAsync("GET", "/cached/anonymous", ("Authorization", "Bearer me"));

        stranger.Headers.CacheControl.ShouldNotBeNull();
        known.Headers.CacheControl.ShouldBeNull();
        known.Headers.ETag.ShouldBeNull();
    }

    [Fact]
    public async Task ETag_StaysTheSame_WhenTheAnswerComesFromTheCache()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/plain");
        using var hit = await app.GetAsync("/cached/plain");

        first.Headers.ETag.ShouldNotBeNull();
        hit.Headers.ETag.ShouldBe(first.Headers.ETag);
    }

    [Fact]
    public async Task ETag_IsAbsent_WhenTheServerKeepsNothing()
    {
        await using var app = await CachingApp.StartAsync();
        using var answer = await app.GetAsync("/cached/clientOnly");
        answer.Headers.ETag.ShouldBeNull();
    }

    [Fact]
    public async Task IfNoneMatch_Gives304_WhenTheTagIsTheKeptOne()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/plain");
        var tag = first.Headers.ETag!.ToString();

        using var unchanged = await app.SendAsync("GET", "/cached/plain", ("If-None-Match", tag));

        unchanged.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        (await unchanged.Content.ReadAsStringAsync()).ShouldBeEmpty();
        unchanged.Headers.ETag!.ToString().ShouldBe(tag);
        unchanged.Headers.CacheControl!.MaxAge.ShouldBe(TimeSpan.FromSeconds(50));
    }

    [Fact]
    public async Task IfNoneMatch_GivesTheAnswer_WhenTheTagIsAnother()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/plain");

        using var changed = await app.SendAsync("GET", "/cached/plain", ("If-None-Match", "\"another\""));

        changed.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await changed.Content.ReadAsStringAsync()).ShouldBe("1");
    }

    [Fact]
    public async Task Head_IsKeptApartFromGet_WhenBothAreAsked()
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync("/cached/plain")).ShouldBe("1");
        using var head = await app.SendAsync("HEAD", "/cached/plain");

        head.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await app.TextAsync("/cached/plain")).ShouldBe("1");
    }
}
