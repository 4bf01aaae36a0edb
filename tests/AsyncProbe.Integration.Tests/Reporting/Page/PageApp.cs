using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>An app with endpoints that are clean, block and await, and requests to each, for the page to show.</summary>
internal static class PageApp
{
    // A verdict and advice need ten requests: five are cold, and five must be warm.
    private const int ForAVerdict = 10;

    /// <param name="configure">Services and settings.</param>
    /// <param name="map">More endpoints.</param>
    /// <param name="waits">How many blocking requests to send, one after another. One is enough if no verdict is checked.</param>
    public static async Task<ProbedApp> StartAsync(
        Action<WebApplicationBuilder>? configure = null, Action<WebApplication>? map = null, int waits = ForAVerdict)
    {
        var app = await ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/plain", () => "plain");
                // Task.Wait spins before it blocks, and on a crowded machine thirty milliseconds can pass while it does.
                a.MapGet("/wait", () => Task.Delay(200).Wait());
                a.MapGet("/delay", () => Task.Delay(30));
                a.MapAsyncProbe("/ops/pool");
                map?.Invoke(a);
            },
            configure: configure);
        // Requests to one endpoint run one after another; otherwise more than the first five would count as cold.
        await Task.WhenAll(app.GetManyAsync("/plain", 20), app.GetManyAsync("/delay", 10), app.GetManyAsync("/wait", waits));

        await app.EndpointAsync("GET /plain", 20);
        await app.EndpointAsync("GET /wait", waits);
        await app.EndpointAsync("GET /delay", 10);
        return app;
    }
}
