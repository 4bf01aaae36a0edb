using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Accounting;

/// <summary>The app decides where it routes: the endpoint is known once routing has run.</summary>
public sealed class LateRoutingTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

    [Fact]
    public async Task LateRouting_IsCountedUnderItsEndpoint_AndNeedsNoWordInTheLog()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseRouting();
            a.MapGet("/late/{id}", (int id) => id);
        });

        app.Log.All.ShouldNotContain(line => line.Text.Contains("UseAsyncProbe", StringComparison.Ordinal));
        (await app.GetAsync("/late/1")).Headers.Contains(Held).ShouldBeTrue();
        await app.EndpointAsync("GET /late/{id}");
    }

    [Fact]
    public async Task LateRouting_KeepsTheEndpoint_WhenAnErrorHandlerClearsIt()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseExceptionHandler(handler => handler.Run(context => context.Response.WriteAsync("sorry")));
            a.UseRouting();
            a.MapGet("/throws", string () => throw new InvalidOperationException("on purpose"));
        });

        await app.GetAsync("/throws");

        (await app.EndpointAsync("GET /throws")).Count("failed").ShouldBe(1);
    }

    [Fact]
    public async Task WaitBeforeRouting_BelongsToTheEndpointThatRoutingFinds()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.Use(async (HttpContext _, RequestDelegate next) =>
            {
                // Waiting for a handle doesn't spin first, so the hook sees it even on a crowded machine.
                using var never = new ManualResetEvent(initialState: false);
                never.WaitOne(20);
                await next(_);
            });
            a.UseRouting();
            a.MapGet("/late/{id}", (int id) => id);
        });

        (await app.GetAsync("/late/1")).Dispose();
        (await app.GetAsync("/nowhere")).Dispose();

        await app.EndpointAsync("GET /late/{id}");
        await app.EndpointAsync("(unmatched)");
        var site = (await app.ReportAsync()).GetProperty("sites").EnumerateArray().ShouldHaveSingleItem();
        site.Count("count").ShouldBe(2);
        site.GetProperty("endpoints").EnumerateArray().Select(e => e.GetString())
            .ShouldBe(["GET /late/{id}", "(unmatched)"], ignoreOrder: true);
        await Eventually.TrueAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 10)), "the wait is not logged");
        app.Log.All.Single(l => l.Id.Id == 10).Text.ShouldStartWith("GET /late/{id} blocked");
    }
}
