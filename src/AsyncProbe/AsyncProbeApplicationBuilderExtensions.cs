using AsyncProbe;
using AsyncProbe.Requests;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Adds AsyncProbe to the request pipeline.</summary>
public static class AsyncProbeApplicationBuilderExtensions
{
    private const string UsedKey = "AsyncProbe.Used";

    // Set by the framework when UseRouting runs.
    private const string RoutingKey = "__EndpointRouteBuilder";

    /// <summary>
    /// Accounts for every request that passes here. Put it first, so that it sees the whole request and cache hits as well. A second call
    /// in one pipeline does nothing.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <returns>The same pipeline.</returns>
    /// <exception cref="InvalidOperationException"><c>AddAsyncProbe</c> was not called.</exception>
    public static IApplicationBuilder UseAsyncProbe(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        if (app.ApplicationServices.GetService<EndpointTable>() is null)
        {
            throw new InvalidOperationException(
                "UseAsyncProbe needs the services of AsyncProbe. Call 'builder.Services.AddAsyncProbe()' before 'builder.Build()'.");
        }

        var options = app.ApplicationServices.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;
        if (!options.Enabled || !app.Properties.TryAdd(UsedKey, true))
        {
            return app;
        }

        var routedBefore = app.Properties.ContainsKey(RoutingKey);
        return app.Use(next =>
        {
            // The pipeline is built last to first after all Use calls, so a routing that is there now and was not before comes after us.
            var routedAfter = !routedBefore && app.Properties.ContainsKey(RoutingKey);
            var middleware = ActivatorUtilities.CreateInstance<AsyncProbeMiddleware>(app.ApplicationServices, next, routedAfter);
            return middleware.InvokeAsync;
        });
    }
}
