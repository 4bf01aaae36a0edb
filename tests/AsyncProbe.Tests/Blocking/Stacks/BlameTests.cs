using AsyncProbe.TestServer;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Waits of a library's middleware, with a middleware of the application in front of it.</summary>
public sealed class BlameTests
{
    [Fact]
    public async Task LibrarysMiddleware_IsBlamedItself_NotTheOneInFront()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/library-waits", 1);
        await app.EndpointAsync("GET /library-waits");

        var site = (await app.SitesAsync("GET /library-waits")).ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBe("SlowMiddleware.InvokeAsync");
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
    }

    [Fact]
    public async Task LockBeneathAllOwnCode_IsCounted_ButNobodyIsNamed()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/library-locks", 1);

        (await app.EndpointAsync("GET /library-locks")).StoodStillMs().ShouldBeGreaterThan(100);
        (await app.SitesAsync("GET /library-locks")).ShouldBeEmpty();
    }

    // Only the tests count as own code, so the test server's project counts as a library.
    private static Task<ProbedApp> StartAsync() => ProbedApp.StartAsync(
        app =>
        {
            app.Use(async (_, next) => await next());
            app.UseMiddleware<SlowMiddleware>();
            app.MapGet("/library-waits", () => "x");
            app.MapGet("/library-locks", () => "x");
        },
        configure: b => b.Configuration["AsyncProbe:UserAssemblies:0"] = "AsyncProbe.Tests");
}
