using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Requests;

/// <summary>The app routes where it likes: the endpoint is known when that has run.</summary>
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
}
