using AsyncProbe.Accounting;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Wiring;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Attach;

/// <summary>Starts and stops everything that the host starts for an application with the package.</summary>
internal sealed class AttachedProbe(IServiceProvider services, AttachedOptions options)
{
    private static Duration LookAgainAfter => 10 * Duration.Second;

    private readonly PoolMonitor _pool = services.GetRequiredService<PoolMonitor>();
    private readonly ServerOverhead _overhead = services.GetRequiredService<ServerOverhead>();
    private readonly OperationListener _operations = services.GetRequiredService<OperationListener>();
    private readonly BlockingStartup _blocking = services.GetRequiredService<BlockingStartup>();
    private readonly Snapshots _snapshots = services.GetRequiredService<Snapshots>();
    private readonly SamplingWindows _windows = services.GetRequiredService<SamplingWindows>();
    private readonly AttachedRequests _requests = ActivatorUtilities.CreateInstance<AttachedRequests>(
        services, ActivatorUtilities.CreateInstance<RequestAccounting>(services));

    private readonly HookStatus _hook = services.GetRequiredService<HookStatus>();
    private readonly UnclaimedSnapshots _unclaimed = services.GetRequiredService<UnclaimedSnapshots>();
    private Task _test = Task.CompletedTask;
    private Timestamp _lookedAt;
    private bool _isMeasuring;

    public void Start()
    {
        // Watching the pool needs only one thread that looks ten times a second, and touches no request.
        _pool.Start();
        if (!options.WaitsForStarvation)
        {
            Measure();
        }
    }

    /// <summary>Runs the periodic work. It may block, so call it from a dedicated thread.</summary>
    public void Look()
    {
        if (!_isMeasuring)
        {
            if (_pool.Verdict.Condition == PoolCondition.Starved)
            {
                Measure();
            }

            return;
        }

        // The self-test needs pool threads, and a starved pool may not have a free one. Nothing here waits for it.
        if (_test.IsCompleted && _hook.SelfTestResult is null or SelfTest.NoThread)
        {
            _test = Task.Run(_blocking.TestAsync);
        }

        // Threads that were stuck before the attach may still be stuck.
        if (_unclaimed.HasFound && _lookedAt.Elapsed() > LookAgainAfter)
        {
            _unclaimed.Take();
            _lookedAt = Timestamp.Now();
        }
    }

    public void Stop()
    {
        _requests.Leave();
        _operations.Dispose();
        _blocking.Stop();
        _snapshots.Stop();
        _windows.Stop();
        _overhead.Stop();
        _pool.Stop();
    }

    private void Measure()
    {
        _isMeasuring = true;
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
