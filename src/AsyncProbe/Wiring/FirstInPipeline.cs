using AsyncProbe.Accounting;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Requests.OutputCaching;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Wiring;

/// <summary>
/// Puts the middleware before everything else in the server's pipeline. WebApplication runs routing, authentication and authorization
/// before the app's first middleware. A middleware at the place of the <c>UseAsyncProbe</c> call would miss the requests they reject and
/// the time they block.
/// </summary>
internal sealed class FirstInPipeline(PageAddress page) : IStartupFilter
{
    /// <summary>Set in the pipeline's properties by <c>UseAsyncProbe</c>. A branch has its own properties.</summary>
    public const string UsedKey = "AsyncProbe.Used";

    // The property in which UseRouting and WebApplication keep the routes of their pipeline.
    private const string RoutesKey = "__EndpointRouteBuilder";

    /// <summary>
    /// Whether the server's own pipeline uses AsyncProbe. Known once the pipeline is configured, before its middleware is created.
    /// </summary>
    public bool IsUsed { get; private set; }

    /// <summary>Registers the filter ahead of those that are already registered, because the first one is the outermost.</summary>
    public static void AddTo(IServiceCollection services)
    {
        if (services.All(service => service.ServiceType != typeof(FirstInPipeline)))
        {
            services.AddSingleton<FirstInPipeline>();
            services.Insert(0, ServiceDescriptor.Singleton<IStartupFilter>(provider => provider.GetRequiredService<FirstInPipeline>()));
        }
    }

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
    {
        // Created last, because a pipeline is built from its end.
        app.Use(rest => IsUsed ? Create(app, rest, order: null) : rest);
        next(app);

        // WebApplication copies the properties of its own builder to the server's.
        IsUsed = app.Properties.ContainsKey(UsedKey);
        page.Routes = app.Properties.TryGetValue(RoutesKey, out var routes) ? routes as IEndpointRouteBuilder : null;
    };

    /// <param name="app">The pipeline.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="order">Checks for output caching ahead of the middleware; null if nothing can be ahead of it.</param>
    public static RequestDelegate Create(IApplicationBuilder app, RequestDelegate next, CacheOrder? order) =>
        new AsyncProbeMiddleware(next, app.ApplicationServices.GetRequiredService<RequestAccounting>(), order).InvokeAsync;
}
