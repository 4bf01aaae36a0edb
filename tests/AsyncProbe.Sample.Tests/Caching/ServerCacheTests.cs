using System.Net;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>What the server caches, for whom and for how long.</summary>
public sealed class ServerCacheTests
{
    [Fact]
    public async Task CacheOutput_KeepsTheAnswer_WhenItIsAskedForAgain()
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync("/cached/plain")).ShouldBe("1");

        using var hit = await app.GetAsync("/cached/plain");

        (await hit.Content.ReadAsStringAsync()).ShouldBe("1");
        hit.Headers.Age.ShouldNotBeNull();
    }

    [Fact]
    public async Task CacheOutput_ReachesTheMethodAgain_WhenTheServerTimeIsOver()
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync("/cached/fleeting")).ShouldBe("1");

        await Eventually.TrueAsync(async () => await app.TextAsync("/cached/fleeting") != "1", "the method is never reached again");
    }

    [Fact]
    public async Task CacheOutput_KeepsOneAnswerForEachQuery_WhenNothingElseIsSaid()
    {
        await using var app = await CachingApp.StartAsync();

        (await app.TextAsync("/cached/byQuery?q=a")).ShouldBe("1");
        (await app.TextAsync("/cached/byQuery?q=b")).ShouldBe("1");
        (await app.TextAsync("/cached/byQuery?q=a")).ShouldBe("1");
    }

    [Fact]
    public async Task CacheOutput_KeepsOneAnswerForAllQueries_WhenTheQueryIsExcluded()
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync("/cached/forAllQueries?q=a")).ShouldBe("1");

        (await app.TextAsync("/cached/forAllQueries?q=b")).ShouldBe("1");
    }

    [Theory]
    [InlineData("/cached/clientOnly")]
    [InlineData("/cached/asked")]
    [InlineData("/cached/cookie")]
    public async Task CacheOutput_KeepsNothing_WhenThereIsNoServerTimeOrACookie(string path)
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync(path)).ShouldBe("1");

        (await app.TextAsync(path)).ShouldBe("2");
    }

    [Fact]
    public async Task CacheOutput_KeepsNothing_WhenTheAnswerIsAnError()
    {
        await using var app = await CachingApp.StartAsync();
        using var first = await app.GetAsync("/cached/failing");
        using var second = await app.GetAsync("/cached/failing");

        (await second.Content.ReadAsStringAsync()).ShouldBe("2");
        second.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        second.Headers.CacheControl.ShouldBeNull();
        second.Headers.ETag.ShouldBeNull();
    }

    [Fact]
    public async Task CacheOutput_NeitherKeepsNorServes_WhenTheCallerIsKnown()
    {
        await using var app = await CachingApp.StartAsync();
        (await app.TextAsync("/cached/plain")).ShouldBe("1");

        using var known = await app.SendAsync("GET", "/cached/plain", ("Authorization", "Bearer me"));

        (await known.Content.ReadAsStringAsync()).ShouldBe("2");
        (await app.TextAsync("/cached/plain")).ShouldBe("1");
    }

    [Fact]
    public async Task CacheOutput_ReachesTheMethodOnce_WhenManyAskForAColdEntry()
    {
        await using var app = await CachingApp.StartAsync();

        var answers = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => app.TextAsync("/cached/awaiting"))).WaitAsync(TestApp.Timeout);

        answers.ShouldAllBe(answer => answer == "1");
    }
}
