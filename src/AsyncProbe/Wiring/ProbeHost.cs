using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Prediction;
using AsyncProbe.Reporting.Json;
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
    ReportText reports,
    HealthCheckDemand? health = null)
    : IHostedLifecycleService, IDisposable
{
    private volatile bool _hasEnded;

    public Task StartAsync(CancellationToken cancellationToken) => TryStartAskedAsync();

    // A Startup class configures its pipeline only while the server starts, which may be after us. And the server has its ports by now: one
    // that the lifeline took first would keep the application from starting.
    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        await TryStartAskedAsync().ConfigureAwait(false);
        if (!_hasEnded)
        {
            faults.Guard(lifeline.Start);

            // Asked now, while there are descriptors: people open the report for the first time when something runs out.
            faults.Guard(static () => _ = ProcessIdentity.StartedAt);
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
            faults.Guard(StaticInitializers.RunAll);
            faults.Guard(operations.Start);
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
        AttachPoint.Remove(reports);

        // Each of them, whatever the one before throws.
        Action[] stops = [lifeline.Dispose, operations.Dispose, blocking.Stop, snapshots.Stop, windows.Stop, overhead.Stop, pool.Stop];
        Array.ForEach(stops, faults.Guard);
    }

    // It may have ended while it was still starting: what started after the end would never end.
    private void StopIfEnded()
    {
        if (_hasEnded)
        {
            Stop();
        }
    }

    // A diagnostic aid must not keep the application from starting.
    private async Task TryStartAskedAsync()
    {
        try
        {
            await StartAskedAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            faults.Note(e);
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
            AttachPoint.Add(reports);
        }

        StopIfEnded();
    }
}
