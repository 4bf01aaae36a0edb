using AsyncProbe.TestServer;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Places;

/// <summary>Optimised endpoint methods, inlined into the code that the framework compiled to call them.</summary>
public sealed class SmallHandlerTests
{
    [Theory]
    [InlineData("/wait", "SmallHandlers.Wait", "Task.Wait", "Task.Delay(LongEnoughMs).Wait();")]
    [InlineData("/filtered", "SmallHandlers.Wait", "Task.Wait", "Task.Delay(LongEnoughMs).Wait();")]
    [InlineData("/small/result", "SmallController.Result", "Task.Result", "Later().Result;")]
    public async Task Handler_IsBlamed_WithTheLineOfItsCall(string path, string at, string kind, string line)
    {
        await using var app = await StartAsync();

        await app.GetManyAsync(path, 1);
        await app.EndpointAsync("GET " + path);

        var site = (await app.SitesAsync("GET " + path)).ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBe(at);
        site.GetProperty("kind").GetString().ShouldBe(kind);
        var source = await File.ReadAllLinesAsync(
            Path.Combine(Repository.Folder, "tests/AsyncProbe.TestServer", site.GetProperty("file").GetString()!));
        source[site.GetProperty("line").GetInt32() - 1].ShouldContain(line);
    }

    [Fact]
    public async Task Handler_IsBlamedWithItsOwnLine_WhenWhatItCallsHasVanishedToo()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/deeper", 1);
        await app.EndpointAsync("GET /deeper");

        var site = (await app.SitesAsync("GET /deeper")).ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBeOneOf("SmallHandlers.WaitDeeper", "SmallHandlers.Deeper");
        site.GetProperty("line").GetInt32().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Handler_IsBlamed_ForItsLock()
    {
        var arrived = new TaskCompletionSource<Waiter>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var app = await StartAsync(arrived);
        Task<string> waiting;
        using (SmallHandlers.Hold())
        {
            waiting = app.TextAsync("/lock");
            await (await arrived.Task.WaitAsync(ProbedApp.Timeout)).AwaitItsWaitAsync();
            await Task.Delay(50);
        }

        await waiting;
        await app.EndpointAsync("GET /lock");

        var site = (await app.SitesAsync("GET /lock")).ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBe("SmallHandlers.WaitForALock");
        site.GetProperty("kind").GetString().ShouldBe("Lock");
    }

    /// <param name="arrived">Completes on the thread that is about to run the handler of a lock.</param>
    private static Task<ProbedApp> StartAsync(TaskCompletionSource<Waiter>? arrived = null) => ProbedApp.StartAsync(
        app =>
        {
            app.Use((context, next) =>
            {
                if (context.Request.Path == "/lock")
                {
                    arrived?.SetResult(Waiter.Here());
                }

                return next(context);
            });
            app.MapGet("/wait", SmallHandlers.Wait);
            app.MapGet("/filtered", SmallHandlers.Wait).AddEndpointFilter((context, next) => next(context));
            app.MapGet("/deeper", SmallHandlers.WaitDeeper);
            app.MapGet("/lock", SmallHandlers.WaitForALock);
            app.MapControllers();
        },
        configure: b => b.Services.AddControllers().AddApplicationPart(typeof(SmallController).Assembly));
}
