using AsyncProbe;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Wiring;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds AsyncProbe to the health checks.</summary>
public static class AsyncProbeHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a health check of the thread pool. It reports degraded while work items wait longer than <see
    /// cref="AsyncProbeOptions.QueueingThreshold"/>, and <paramref name="failureStatus"/> while they wait longer than <see
    /// cref="AsyncProbeOptions.StarvedThreshold"/>. It reports healthy, and says that the pool isn't watched, if <see
    /// cref="AsyncProbeOptions.Enabled"/> is false. It reports degraded if the watcher's thread could not be started or kept failing. The
    /// check only reads figures in memory, but a starved pool also delays the health request itself.
    /// </summary>
    /// <param name="builder">The health checks builder.</param>
    /// <param name="name">The check's name. Default <c>asyncprobe</c>.</param>
    /// <param name="failureStatus">
    /// The status for a starved pool, and the worst status that the check ever reports. Default null: <see cref="HealthStatus.Unhealthy"/>.
    /// </param>
    /// <param name="tags">Tags for filtering. Default none.</param>
    /// <param name="timeout">How long the check may take. Default null: no limit. The check never waits.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty or white space.</exception>
    /// <exception cref="InvalidOperationException"><c>services.AddAsyncProbe()</c> was not called. Thrown when the check runs.</exception>
    /// <example>
    /// <code>
    /// var builder = WebApplication.CreateBuilder(args);
    /// builder.Services.AddAsyncProbe();
    /// builder.Services.AddHealthChecks().AddAsyncProbe(tags: ["ready"]);
    ///
    /// var app = builder.Build();
    /// app.UseAsyncProbe();
    /// app.MapHealthChecks("/healthz");
    /// app.Run();
    /// </code>
    /// </example>
    public static IHealthChecksBuilder AddAsyncProbe(
        this IHealthChecksBuilder builder,
        string name = "asyncprobe",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        builder.Services.TryAddSingleton<HealthCheckDemand>();
        return builder.Add(new HealthCheckRegistration(name, Create, failureStatus, tags, timeout));
    }

    private static IHealthCheck Create(IServiceProvider services)
    {
        try
        {
            if (services.GetService<PoolMonitor>() is { } pool)
            {
                return new HealthCheck(() => (pool.Watch, pool.Verdict, pool.Latest), services.GetRequiredService<Faults>());
            }
        }
        catch (OutOfMemoryException)
        {
            // An exception would fail the whole health request, with the application's own checks.
            Faults.NoteQuietly();
            return HealthCheck.Unknown;
        }

        throw new InvalidOperationException(
            "The health check of AsyncProbe needs the services of AsyncProbe. Call 'builder.Services.AddAsyncProbe()' before "
                + "'builder.Build()'.");
    }
}
