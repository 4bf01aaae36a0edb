using AsyncProbe;
using AsyncProbe.Accounting;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Requests.OutputCaching;
using AsyncProbe.Wiring;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds AsyncProbe to the services.</summary>
public static class AsyncProbeServiceCollectionExtensions
{
    /// <summary>
    /// Adds the services that <c>UseAsyncProbe</c> and <c>MapAsyncProbe</c> need. In a web app, this call measures nothing, maps nothing,
    /// listens to nothing and starts no thread. The watcher's thread starts with the host if you called one of the two, added the health
    /// check, or set <c>LifelinePort</c>. AsyncProbe listens to EF Core's events if you called <c>UseAsyncProbe</c>. In a worker (a generic
    /// host without a web server), this call is enough to measure operations.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets options. Runs after the configuration section <c>AsyncProbe</c> is read. Default null: nothing to
    /// set.</param>
    /// <returns>A builder for add-ons.</returns>
    /// <example>
    /// <code>
    /// var builder = WebApplication.CreateBuilder(args);
    /// builder.Services.AddAsyncProbe(options =&gt; options.History = TimeSpan.FromHours(1));
    ///
    /// var app = builder.Build();
    /// app.UseAsyncProbe();
    /// app.MapAsyncProbe();
    /// app.Run();
    /// </code>
    /// </example>
    public static AsyncProbeBuilder AddAsyncProbe(this IServiceCollection services, Action<AsyncProbeOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);

        var options = services.AddOptions<AsyncProbeOptions>().ValidateOnStart();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigureOptions<AsyncProbeOptions>, AsyncProbeOptionsSetup>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<AsyncProbeOptions>, AsyncProbeOptionsSetup>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<AsyncProbeOptions>, AsyncProbeOptionsValidator>());
        if (configure is not null)
        {
            options.Configure(configure);
        }

        services.TryAddSingleton(provider =>
        {
            var options = provider.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;
            return new EndpointTable(options.MaxEndpoints, options.MaxOperations);
        });
        services.TryAddSingleton<Faults>();
        services.TryAddSingleton<LegacyActions>();
        services.TryAddSingleton<ServerOverhead>();
        services.TryAddSingleton<PoolIntervals>();
        services.TryAddSingleton<PoolMonitor>();
        services.AddBlocking();
        services.AddReporting();
        services.TryAddSingleton<RequestHeaders>();
        services.TryAddSingleton<Completion>();
        services.TryAddSingleton<RequestAccounting>();
        services.TryAddSingleton<OperationAccounting>();
        services.TryAddSingleton<OperationListener>();

        services.TryAddSingleton<CacheOrder>();
        FirstInPipeline.AddTo(services);
        services.TryAddSingleton<ProbeDemand>();
        services.AddHostedService<ProbeHost>();
        return new AsyncProbeBuilder(services);
    }
}
