using AsyncProbe;
using AsyncProbe.Requests.OutputCaching;
using AsyncProbe.Wiring;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Adds AsyncProbe to the request pipeline.</summary>
public static class AsyncProbeApplicationBuilderExtensions
{
    /// <summary>
    /// Accounts for every request of the server, from its first middleware to the disposal of the request's services, wherever in the
    /// pipeline this is called. In a branch (<c>Map</c>, <c>UseWhen</c>) it accounts for the requests that pass here, from here on. A
    /// second call in one pipeline does nothing.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <returns>The same pipeline.</returns>
    /// <exception cref="InvalidOperationException"><c>AddAsyncProbe</c> was not called.</exception>
    /// <example>
    /// <code>
    /// var builder = WebApplication.CreateBuilder(args);
    /// builder.Services.AddAsyncProbe();
    ///
    /// var app = builder.Build();
    /// app.UseAsyncProbe();
    /// app.MapAsyncProbe();
    /// app.Run();
    /// </code>
    /// </example>
    public static IApplicationBuilder UseAsyncProbe(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        if (app.ApplicationServices.GetService<FirstInPipeline>() is not { } first)
        {
            throw new InvalidOperationException(
                "UseAsyncProbe needs the services of AsyncProbe. Call 'builder.Services.AddAsyncProbe()' before 'builder.Build()'.");
        }

        var options = app.ApplicationServices.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;
        if (!options.Enabled || !app.Properties.TryAdd(FirstInPipeline.UsedKey, true))
        {
            return app;
        }

        app.ApplicationServices.GetRequiredService<ProbeDemand>().IsMeasured = true;
        return app.Use(next => first.IsUsed
            ? next
            : FirstInPipeline.Create(app, next, app.ApplicationServices.GetRequiredService<CacheOrder>()));
    }
}
