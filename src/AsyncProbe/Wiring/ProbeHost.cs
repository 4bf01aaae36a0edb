using AsyncProbe.Accounting;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Reporting.Lifeline;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Wiring;

/// <summary>
/// Starts with the host, and starts only the features that the application requested. Ends them when the host stops, or when it is disposed
/// without being stopped, as test hosts often are.
/// </summary>
internal sealed class ProbeHost(
    ProbeDemand demand,
    PoolMonitor pool,
    ServerOverhead overhead,
    BlockingStartup blocking,
    Snapshots snapshots,
    SamplingWindows windows,
    OperationListener operations,
    IHostApplicationLifetime lifetime,
    LifelineService lifeline,
    ReportAccessNotice notice,
    Faults faults,
    ILogger<ProbeHost> logger,
    ReportText reports)
    : IHostedLifecycleService, IDisposable
{
    // Created in advance, because the host may stop when it is out of memory.
    private readonly Action[] _stops =
        [lifeline.Dispose, operations.Dispose, blocking.Stop, snapshots.Stop, windows.Stop, overhead.Stop, pool.Stop];

    private volatile bool _hasEnded;
    private bool _hasLifecycle;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        // An IWebHost calls only this method and StopAsync.
        if (!_hasLifecycle)
        {
            await StartingAsync(cancellationToken).ConfigureAwait(false);
            faults.Guard(() => lifetime.ApplicationStarted.Register(() => _ = StartedAsync(CancellationToken.None)));
        }

        await TryStartAskedAsync().ConfigureAwait(false);
    }

    // A Startup class configures its pipeline only while the server starts, which may be after StartAsync. By now the server also has its
    // ports; if the lifeline took one first, the application could not start.
    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        if (demand.IsShown)
        {
            // A logging provider that throws must not keep the host from starting.
            faults.Guard(notice.Say);
        }

        await TryStartAskedAsync().ConfigureAwait(false);
        try
        {
            StartTheRest();
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        End();
        return Task.CompletedTask;
    }

    public void Dispose() => End();

    // Runs before any of the application's services start, so that their work is also measured.
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        _hasLifecycle = true;
        try
        {
            if (demand.IsMeasured && !_hasEnded)
            {
                faults.Guard(StaticInitializers.RunAll);
                faults.Guard(operations.Start);
                StopIfEnded();
            }
        }
        catch (Exception e)
        {
            // Even the delegates above can fail.
            faults.Note(e);
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

        // Stop each of them, even if one before it throws.
        foreach (var stop in _stops)
        {
            faults.Guard(stop);
        }
    }

    // The host may be disposed during startup; stop whatever we started after that.
    private void StopIfEnded()
    {
        if (_hasEnded)
        {
            Stop();
        }
    }

    private void StartTheRest()
    {
        if (_hasEnded)
        {
            return;
        }

        faults.Guard(lifeline.Start);

        // Read it now, while file descriptors are available: people often open the report for the first time when something runs out.
        faults.Guard(static () => _ = ProcessIdentity.StartedAt);
        if (demand is { IsWorker: true, HasLifeline: false })
        {
            // Without this line, a worker that shows its figures nowhere looks like one that isn't measured.
            faults.Guard(() => Log.WorkerMeasured(logger));
        }

        StopIfEnded();
    }

    // A diagnostic tool must not keep the application from starting.
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
        // The host may be stopped during its own startup, before the second of these calls.
        if (_hasEnded)
        {
            return;
        }

        if (demand.IsWatched)
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
