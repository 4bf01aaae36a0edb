using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Requests;

/// <summary>UseAsyncProbe in front of UseRouting: the endpoint is known later.</summary>
public sealed class LateRoutingTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

    [Fact]
    public async Task LateRouting_IsCountedUnderItsEndpoint_AndSaidOnceAtStart()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseRouting();
            a.MapGet("/late/{id}", (int id) => id);
        });

        app.Log.All.Count(line => line.Text.Contains("UseAsyncProbe comes before UseRouting", StringComparison.Ordinal)).ShouldBe(1);
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
