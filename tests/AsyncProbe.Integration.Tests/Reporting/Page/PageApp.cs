using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>An app with a clean, a blocking and an awaiting endpoint, and requests to each, for the page to show.</summary>
internal static class PageApp
{
    // From the tenth on there is a verdict and an advice: five are cold, and as many have to be warm.
    private const int ForAVerdict = 10;

    /// <param name="configure">Services and settings.</param>
    /// <param name="map">More endpoints.</param>
    /// <param name="waits">Requests that block, one after another: one is enough where no verdict is looked at.</param>
    public static async Task<ProbedApp> StartAsync(
        Action<WebApplicationBuilder>? configure = null, Action<WebApplication>? map = null, int waits = ForAVerdict)
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
        await Task.WhenAll(app.GetManyAsync("/plain", 20), app.GetManyAsync("/delay", 10), app.GetManyAsync("/wait", waits));

        await app.EndpointAsync("GET /plain", 20);
        await app.EndpointAsync("GET /wait", waits);
        await app.EndpointAsync("GET /delay", 10);
        return app;
    }
}
