using AsyncProbe.Blocking.Sites;
using AsyncProbe.Reporting;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Reporting.Http;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Reporting.Lifeline;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Reporting.Profile;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Registers the services that show what was measured.</summary>
internal static class ReportingServices
{
    public static void AddReporting(this IServiceCollection services)
    {
        services.AddMetrics();
        services.TryAddSingleton(provider => new BlockingTime(
            provider.GetRequiredService<BlockingSites>(),
            provider.GetRequiredService<EndpointTable>(),
            provider.GetRequiredService<IOptions<AsyncProbeOptions>>().Value.MaxSites));
        services.TryAddSingleton<MetricFigures>();
        services.TryAddSingleton<PrometheusText>();
        services.TryAddSingleton<ProbeMetrics>();
        services.TryAddSingleton<AllCounts>();
        services.TryAddSingleton<LifelineAddress>();
        services.TryAddSingleton<LifelineFiles>();
        services.TryAddSingleton<LifelineMetrics>();
        services.TryAddSingleton<LifelineOrigins>();
        services.TryAddSingleton<LifelineService>();
        services.TryAddSingleton<ResponseHeaders>();
        services.TryAddSingleton<ReportBuilder>();
        services.TryAddSingleton<ReportText>();
        services.TryAddSingleton<BlockedStacks>();
        services.TryAddSingleton<LocalCaller>();
        services.TryAddSingleton<ReportAccess>();
        services.TryAddSingleton<PageAddress>();
        services.TryAddSingleton<ReportAccessNotice>();
        services.TryAddSingleton<SnapshotEndpoint>();
    }
}
