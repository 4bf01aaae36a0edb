using AsyncProbe.Blocking;
using AsyncProbe.Pool;
using AsyncProbe.Reporting.Lifeline;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe;

/// <summary>Starts with the host what the application has asked for, and nothing else.</summary>
internal sealed class ProbeHost(
    ProbeDemand demand, PoolMonitor pool, BlockingMonitor blocking, Snapshots snapshots, LifelineService lifeline, HealthCheckDemand? health = null)
    : IHostedLifecycleService
{
    public Task StartAsync(CancellationToken cancellationToken) => StartAskedAsync();

    // A Startup class configures its pipeline only while the server starts, which may be after us.
    public Task StartedAsync(CancellationToken cancellationToken) => StartAskedAsync();

    public Task StopAsync(CancellationToken cancellationToken)
    {
        lifeline.Dispose();
        blocking.Stop();
        snapshots.Stop();
        pool.Stop();
        return Task.CompletedTask;
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task StartAskedAsync()
    {
        if (demand.IsMeasured || demand.IsShown || health is not null || lifeline.IsWanted)
        {
            pool.Start();
            lifeline.Start();
        }

        if (demand.IsMeasured)
        {
            await blocking.StartAsync().ConfigureAwait(false);
            snapshots.Start();
        }
    }
}
