namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>When cached answers are invalidated.</summary>
public sealed class InvalidationTests
{
    [Fact]
    public async Task InvalidateCacheOutput_ForgetsTheNamedAction_WhenItSucceeds()
    {
        await using var app = await CachingApp.StartAsync();
        await app.TextAsync("/cached/plain");
        await app.TextAsync("/cached/byQuery");

        using var forget = await app.SendAsync("POST", "/cached/forgetPlain");

        (await app.TextAsync("/cached/plain")).ShouldBe("2");
        (await app.TextAsync("/cached/byQuery")).ShouldBe("1", "only the named action is forgotten");
    }

    [Fact]
    public async Task InvalidateCacheOutput_ForgetsNothing_WhenTheActionFails()
    {
        await using var app = await CachingApp.StartAsync();
        await app.TextAsync("/cached/plain");

        using var failed = await app.SendAsync("POST", "/cached/forgetPlain?status=409");

        (await app.TextAsync("/cached/plain")).ShouldBe("1");
    }

    [Fact]
    public async Task InvalidateCacheOutput_ForgetsAnotherController_WhenItIsNamed()
    {
        await using var app = await CachingApp.StartAsync();
        await app.TextAsync("/auto");

        using var forget = await app.SendAsync("POST", "/cached/forgetOther");

        (await app.TextAsync("/auto")).ShouldBe("2");
    }

    [Theory]
    [InlineData("POST")]
    [InlineData("PUT")]
    [InlineData("PATCH")]
    [InlineData("DELETE")]
    public async Task AutoInvalidateCacheOutput_ForgetsAllOfTheController_WhenItChanges(string method)
    {
        await using var app = await CachingApp.StartAsync();
        await app.TextAsync("/auto");
        await app.TextAsync("/auto/other");
        await app.TextAsync("/cached/plain");

        using var change = await app.SendAsync(method, "/auto");

        (await app.TextAsync("/auto")).ShouldBe("2");
        (await app.TextAsync("/auto/other")).ShouldBe("2");
        (await app.TextAsync("/cached/plain")).ShouldBe("1", "another controller's answers stay");
    }

    [Fact]
    public async Task AutoInvalidateCacheOutput_ForgetsNothing_WhenTheChangeFails()
    {
        await using var app = await CachingApp.StartAsync();
        await app.TextAsync("/auto");

        using var change = await app.SendAsync("POST", "/auto?status=400");

        (await app.TextAsync("/auto")).ShouldBe("1");
    }
}
