using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Prediction;
using AsyncProbe.Reporting.Lifeline;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Wiring;

/// <summary>
/// Starts with the host what the application has asked for, and nothing else; ends it when the host stops, or is disposed without having
/// been stopped, as the hosts of tests often are.
/// </summary>
internal sealed class ProbeHost(
    ProbeDemand demand,
    PoolMonitor pool,
    ServerOverhead overhead,
    BlockingStartup blocking,
    Snapshots snapshots,
    SamplingWindows windows,
    OperationListener operations,
    LifelineService lifeline,
    Faults faults,
    ILogger<ProbeHost> logger,
    HealthCheckDemand? health = null)
    : IHostedLifecycleService, IDisposable
{
    private volatile bool _hasEnded;

    public Task StartAsync(CancellationToken cancellationToken) => StartAskedAsync();

    // A Startup class configures its pipeline only while the server starts, which may be after us. And the server has its ports by now: one
    // that the lifeline took first would keep the application from starting.
    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        await StartAskedAsync().ConfigureAwait(false);
        if (!_hasEnded)
        {
            lifeline.Start();
            if (demand.IsWorker && !lifeline.IsWanted)
            {
                // Without this line, a worker that shows its figures nowhere looks like one that isn't measured.
                faults.Guard(() => Log.WorkerMeasured(logger));
            }

            StopIfEnded();
        }
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        End();
        return Task.CompletedTask;
    }

    public void Dispose() => End();

    // Before any of the application's services starts, and with it the work that it does.
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        if (demand.IsMeasured && !_hasEnded)
        {
            operations.Start();
            StopIfEnded();
        }

        return Task.CompletedTask;
    }

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private void End()
    {
        if (_hasEnded)
        {
            return;
        }

        _hasEnded = true;
        Stop();
    }

    private void Stop()
    {
        lifeline.Dispose();
        operations.Dispose();
        blocking.Stop();
        snapshots.Stop();
        windows.Stop();
        overhead.Stop();
        pool.Stop();
    }

    // It may have ended while it was still starting: what started after the end would never end.
    private void StopIfEnded()
    {
        if (_hasEnded)
        {
            Stop();
        }
    }

    private async Task StartAskedAsync()
    {
        // A host may be stopped by its own start, before the second of these calls.
        if (_hasEnded)
        {
            return;
        }

        if (demand.IsMeasured || demand.IsShown || health is not null || lifeline.IsWanted)
        {
            pool.Start();
            if (pool.IsWatching)
            {
                overhead.Start();
            }
        }

        if (demand.IsMeasured)
        {
            operations.Start();
            await blocking.StartAsync().ConfigureAwait(false);
            snapshots.Start();
            windows.Start();
        }

        StopIfEnded();
    }
}
