using AsyncProbe.Reporting.Http;
using AsyncProbe.Requests.OutputCaching;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Wiring;

/// <summary>
/// Puts the middleware before everything else in the server's pipeline. WebApplication runs routing, authentication and authorization
/// before whatever the app uses first, so a middleware that stands where <c>UseAsyncProbe</c> was called would miss what those reject and
/// how long they block.
/// </summary>
internal sealed class FirstInPipeline(PageAddress page) : IStartupFilter
{
    /// <summary>Set in the pipeline's properties by <c>UseAsyncProbe</c>. A branch has properties of its own.</summary>
    public const string UsedKey = "AsyncProbe.Used";

    // Where UseRouting leaves the routes of its pipeline; WebApplication does too.
    private const string RoutesKey = "__EndpointRouteBuilder";

    /// <summary>Whether the server's own pipeline uses AsyncProbe. Known once it is configured, and before its parts are made.</summary>
    public bool IsUsed { get; private set; }

    /// <summary>Registers the filter ahead of those that the host has registered already, because the first one is the outermost.</summary>
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
        // Made last, as a pipeline is built from its end.
        app.Use(rest => IsUsed ? Create(app, rest, order: null) : rest);
        next(app);

        // WebApplication copies the properties of its own builder to the server's.
        IsUsed = app.Properties.ContainsKey(UsedKey);
        page.Routes = app.Properties.TryGetValue(RoutesKey, out var routes) ? routes as IEndpointRouteBuilder : null;
    };

    /// <param name="app">The pipeline.</param>
    /// <param name="next">What comes after.</param>
    /// <param name="order">Looks for output caching ahead of us; null where nothing can be ahead.</param>
    public static RequestDelegate Create(IApplicationBuilder app, RequestDelegate next, CacheOrder? order) =>
        new AsyncProbeMiddleware(
            next,
            ActivatorUtilities.CreateInstance<RequestAccounting>(app.ApplicationServices),
            app.ApplicationServices.GetRequiredService<RequestCompletion>(),
            order).InvokeAsync;
}
