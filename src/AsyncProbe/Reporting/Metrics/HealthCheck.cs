using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Reports the pool's state as the watcher last judged it, so a check costs almost nothing.</summary>
/// <param name="judge">Says whether the pool is watched, and gives its verdict and the latest sample.</param>
/// <param name="faults">Counts checks that fail.</param>
internal sealed class HealthCheck(Func<(PoolWatch Watch, PoolVerdict Verdict, PoolSample Latest)> judge, Faults faults) : IHealthCheck
{
    private static readonly Task<HealthCheckResult> s_unknown = Task.FromResult(
        HealthCheckResult.Degraded("AsyncProbe could not tell how the thread pool is. The application is not affected."));

    /// <summary>
    /// Reports that the state is unknown. Created in advance, because another check can't be allocated when memory runs out.
    /// </summary>
    public static IHealthCheck Unknown { get; } = new NoAnswer();

    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        try
        {
            return Task.FromResult(Describe(context.Registration.FailureStatus));
        }
        catch (Exception e)
        {
            // An exception would be reported as unhealthy, and an orchestrator may restart an unhealthy app. Degraded says that something
            // is wrong without causing a restart.
            faults.Note(e);
            return s_unknown;
        }
    }

    private HealthCheckResult Describe(HealthStatus worst)
    {
        var (watch, verdict, latest) = judge();
        if (watch != PoolWatch.On)
        {
            return watch == PoolWatch.Off
                ? HealthCheckResult.Healthy("AsyncProbe does not watch the thread pool.")
                : new HealthCheckResult(
                    Milder(HealthStatus.Degraded, worst),
                    "AsyncProbe does not know how the thread pool is, because its watcher's thread could not be started or kept failing.");
        }

        var sample = PoolSentences.SampleOf(verdict, latest);
        var status = verdict.Condition switch
        {
            PoolCondition.Starved => worst,
            PoolCondition.Queueing => Milder(HealthStatus.Degraded, worst),
            _ => HealthStatus.Healthy,
        };

        var description = verdict.Condition == PoolCondition.Healthy
            ? "The thread pool is healthy."
            : $"The thread pool is {PoolSentences.Name(verdict.Condition)}, "
                + $"cause {PoolSentences.Name(verdict.Cause)}: {PoolSentences.Figures(sample)}. {PoolSentences.Explain(verdict)}";
        Dictionary<string, object> data = new()
        {
            ["queueDelayMs"] = sample.QueueDelay.ToMilliseconds(),
            ["threads"] = sample.Threads,
            ["pending"] = sample.Pending,
        };
        return new HealthCheckResult(status, description, data: data);
    }

    private static HealthStatus Milder(HealthStatus one, HealthStatus other) => one > other ? one : other;

    private sealed class NoAnswer : IHealthCheck
    {
        public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
            s_unknown;
    }
}
