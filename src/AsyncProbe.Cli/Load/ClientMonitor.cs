using System.Diagnostics;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Monitors the tool itself from a dedicated thread, so that a busy tool is never mistaken for a slow server.</summary>
internal sealed class ClientMonitor
{
    private readonly Lock _lock = new();
    private readonly Histogram _poolDelays = new(Histogram.CoarseBits);
    private long _probeQueuedAt;
    private TimeSpan _cpuAtStart;
    private TimeSpan _gcAtStart;
    private long _startedAt;

    public void Begin()
    {
        lock (_lock)
        {
            _startedAt = Stopwatch.GetTimestamp();
            _cpuAtStart = Environment.CpuUsage.TotalTime;
            _gcAtStart = GC.GetTotalPauseDuration();
        }
    }

    /// <summary>Queues a work item unless one is still queued; it waits as long as a response's continuation would.</summary>
    public void ProbePool()
    {
        if (Interlocked.CompareExchange(ref _probeQueuedAt, Stopwatch.GetTimestamp(), 0) != 0)
        {
            return;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static watch => watch.ProbeRan(), this, preferLocal: false);
    }

    public ClientFigures End()
    {
        lock (_lock)
        {
            var elapsed = Stopwatch.GetElapsedTime(_startedAt).TotalMilliseconds;
            return new ClientFigures
            {
                CpuShare = (Environment.CpuUsage.TotalTime - _cpuAtStart).TotalMilliseconds / (elapsed * Environment.ProcessorCount),
                GcPauseShare = (GC.GetTotalPauseDuration() - _gcAtStart).TotalMilliseconds / elapsed,
                PoolDelayP99Ms = _poolDelays.Count == 0 ? 0 : _poolDelays.Percentile(99) / 1e6,
                PeakMemoryBytes = Process.GetCurrentProcess().PeakWorkingSet64,
            };
        }
    }

    private void ProbeRan()
    {
        var delay = Stopwatch.GetElapsedTime(Interlocked.Exchange(ref _probeQueuedAt, 0));
        lock (_lock)
        {
            _poolDelays.Record((long)delay.TotalNanoseconds);
        }
    }
}
