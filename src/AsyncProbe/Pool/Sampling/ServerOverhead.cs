using System.Runtime;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Pool.Sampling;

/// <summary>
/// The CPU time that a request costs outside the middleware: the connection's I/O, parsing and dispatch. It is measured under load, as the
/// process's CPU time minus that of all segments, per request.
/// </summary>
internal sealed class ServerOverhead(EndpointTable endpoints, Faults faults) : IWatcherListener
{
    // With fewer requests, the process's background work, mostly the JIT's, would be charged to only a few of them.
    private const int RequestsUnderLoad = 1000;
    private const int SecondsNeeded = 3;

    private readonly Lock _lock = new();
    private readonly Queue<Duration> _lately = new();
    private long _lastRequests;
    private Duration _lastCpu;
    private Duration _lastCompiled;
    private WatcherSubscription? _subscription;

    /// <summary>The overhead of one request; null until there has been enough load to measure it.</summary>
    public Duration? PerRequest
    {
        get
        {
            lock (_lock)
            {
                // Background work only ever adds CPU time, so the smallest of the last seconds under load is closest to the truth.
                return _lately.Count < SecondsNeeded ? null : _lately.Min();
            }
        }
    }

    public void Start() => _subscription ??= Watcher.Subscribe(this, faults);

    public void Stop() => Interlocked.Exchange(ref _subscription, null)?.Dispose();

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load) =>
        OnSecond(load.Cpu, Duration.From(JitInfo.GetCompilationTime()));

    /// <param name="processCpu">CPU time of the whole process in the last second.</param>
    /// <param name="compiled">
    /// How long the JIT has compiled since the process started. During a server's first minutes it recompiles hot code in the background,
    /// which must not be charged to requests.
    /// </param>
    public void OnSecond(Duration processCpu, Duration compiled = default)
    {
        var (requests, cpu) = endpoints.SumRequestsAndCpu();
        lock (_lock)
        {
            var (newRequests, newCpu, newCompiled) = (requests - _lastRequests, cpu - _lastCpu, compiled - _lastCompiled);
            (_lastRequests, _lastCpu, _lastCompiled) = (requests, cpu, compiled);
            if (newRequests < RequestsUnderLoad || processCpu < newCpu)
            {
                return;
            }

            _lately.Enqueue((processCpu - newCpu - newCompiled).OrZero() / newRequests);
            if (_lately.Count > 5 * SecondsNeeded)
            {
                _lately.Dequeue();
            }
        }
    }
}
