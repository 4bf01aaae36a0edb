using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The pool's state as the watcher last judged it; asking costs nothing.</summary>
internal sealed class HealthCheck(PoolMonitor pool) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var verdict = pool.Verdict;
        var sample = PoolSentences.SampleOf(verdict, pool.Latest);
        var status = verdict.Condition switch
        {
            PoolCondition.Starved => HealthStatus.Unhealthy,
            PoolCondition.Queueing => HealthStatus.Degraded,
            _ => HealthStatus.Healthy,
        };

        var description = verdict.Condition == PoolCondition.Healthy
            ? "The thread pool is healthy."
            : $"The thread pool is {PoolSentences.Name(verdict.Condition)}, cause {PoolSentences.Name(verdict.Cause)}: {PoolSentences.Figures(sample)}. {PoolSentences.Explain(verdict)}";
        Dictionary<string, object> data = new()
        {
            ["queueDelayMs"] = Nanoseconds.ToMilliseconds(sample.QueueDelayNs),
            ["threads"] = sample.Threads,
            ["pending"] = sample.Pending,
        };
        return Task.FromResult(new HealthCheckResult(status, description, data: data));
    }
}
