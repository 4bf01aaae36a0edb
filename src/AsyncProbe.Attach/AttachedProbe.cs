using AsyncProbe.Accounting;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Wiring;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Attach;

/// <summary>
/// Starts and stops everything that the host starts for an application with the package. It watches the pool until a tool wants
/// measurements, or the pool is starved. Tools join on the thread that answers them, and the lock keeps them out once the probe stops.
/// </summary>
internal sealed class AttachedProbe(IServiceProvider services)
{
    private enum Phase
    {
        Watching,
        Measuring,
        Stopped,
    }

    private static Duration LookAgainAfter => 10 * Duration.Second;

    private readonly PoolMonitor _pool = services.GetRequiredService<PoolMonitor>();
    private readonly ServerOverhead _overhead = services.GetRequiredService<ServerOverhead>();
    private readonly OperationListener _operations = services.GetRequiredService<OperationListener>();
    private readonly BlockingStartup _blocking = services.GetRequiredService<BlockingStartup>();
    private readonly Snapshots _snapshots = services.GetRequiredService<Snapshots>();
    private readonly SamplingWindows _windows = services.GetRequiredService<SamplingWindows>();
    private readonly AttachedRequests _requests = ActivatorUtilities.CreateInstance<AttachedRequests>(services);

    private readonly HookStatus _hook = services.GetRequiredService<HookStatus>();
    private readonly UnclaimedSnapshots _unclaimed = services.GetRequiredService<UnclaimedSnapshots>();
    private readonly RequestHeaders _headers = services.GetRequiredService<RequestHeaders>();
    private readonly Lock _lock = new();
    private volatile Phase _phase;
    private Task _test = Task.CompletedTask;
    private Timestamp _lookedAt;

    public void Start(ToolSettings settings)
    {
        // Watching the pool needs only one thread that looks ten times a second, and touches no request.
        _pool.Start();
        Serve(settings);
    }

    /// <summary>Does what a tool asks for, in addition to what others have asked for.</summary>
    public void Serve(ToolSettings settings)
    {
        if (settings.HasHeaders)
        {
            _headers.TurnOn();
        }

        // Once it measures, a tool must not wait for the lock: the periodic work may hold it for seconds.
        if (!settings.WaitsForStarvation && _phase == Phase.Watching)
        {
            lock (_lock)
            {
                Measure();
            }
        }
    }

    /// <summary>Runs the periodic work. It may block, so call it from a dedicated thread.</summary>
    public void Look()
    {
        lock (_lock)
        {
            if (_phase == Phase.Measuring)
            {
                LookAgain();
            }
            else if (_pool.Verdict.Condition == PoolCondition.Starved)
            {
                Measure();
            }
        }
    }

    public void Stop()
    {
        lock (_lock)
        {
            _phase = Phase.Stopped;
            _requests.Leave();
            _operations.Dispose();
            _blocking.Stop();
            _snapshots.Stop();
            _windows.Stop();
            _overhead.Stop();
            _pool.Stop();
        }
    }

    private void LookAgain()
    {
        // The self-test needs pool threads, and a starved pool may not have a free one. Nothing here waits for it.
        if (_test.IsCompleted && _hook.NeedsTest)
        {
            _test = Task.Run(_hook.TestAsync);
        }

        // Threads that were stuck before the attach may still be stuck.
        if (_unclaimed.HasFound && _lookedAt.Elapsed() > LookAgainAfter)
        {
            _unclaimed.Take();
            _lookedAt = Timestamp.Now();
        }
    }

    private void Measure()
    {
        if (_phase != Phase.Watching)
        {
            return;
        }

        _phase = Phase.Measuring;
        _overhead.Start();
        _blocking.Start();
        _snapshots.Start();
        _windows.Start();
        _operations.Start();
        _requests.Subscribe();
        _unclaimed.Take();
        _lookedAt = Timestamp.Now();
    }
}
