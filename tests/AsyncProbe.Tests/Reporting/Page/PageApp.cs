using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Page;

/// <summary>An app with a clean, a blocking and an awaiting endpoint, and requests to each, for the page to show.</summary>
internal static class PageApp
{
    public static async Task<ProbedApp> StartAsync(Action<WebApplicationBuilder>? configure = null, Action<WebApplication>? map = null)
    {
        var app = await ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/plain", () => "plain");
                // Task.Wait spins before it blocks, and on a crowded machine thirty milliseconds pass in that.
                a.MapGet("/wait", () => Task.Delay(200).Wait());
                a.MapGet("/delay", () => Task.Delay(30));
                a.MapAsyncProbe("/ops/pool");
                map?.Invoke(a);
            },
            configure: configure);
        // Those of one endpoint after one another, or more than its first five would count as cold.
        await Task.WhenAll(app.GetManyAsync("/plain", 20), app.GetManyAsync("/delay", 10), app.GetManyAsync("/wait", 10));

        await app.EndpointAsync("GET /plain", 20);
        await app.EndpointAsync("GET /wait", 10);
        await app.EndpointAsync("GET /delay", 10);
        return app;
    }
}
