using AsyncProbe;
using AsyncProbe.Common;
using AsyncProbe.Requests.OutputCaching;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Adds AsyncProbe to the request pipeline.</summary>
public static class AsyncProbeApplicationBuilderExtensions
{
    /// <summary>
    /// Measures every request that the server handles, from the first middleware to the disposal of the request's services, no matter where
    /// in the pipeline you call it. In a branch (<c>Map</c>, <c>UseWhen</c>), it measures only the requests that enter the branch, starting
    /// from this point. A second call in the same pipeline does nothing.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <returns>The same pipeline.</returns>
    /// <exception cref="InvalidOperationException"><c>AddAsyncProbe</c> was not called.</exception>
    /// <exception cref="OptionsValidationException">An option of <see cref="AsyncProbeOptions"/> is not valid.</exception>
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
        app.ApplicationServices.GetRequiredService<Faults>().Guard(() =>
            CacheHitPolicy.AddTo(app.ApplicationServices.GetRequiredService<IOptions<OutputCacheOptions>>().Value));
        return app.Use(next => first.IsUsed
            ? next
            : FirstInPipeline.Create(app, next, app.ApplicationServices.GetRequiredService<CacheOrder>()));
    }
}
