using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Metrics;

namespace AsyncProbe.Accounting;

/// <summary>
/// Passes the recorded waits to the log and the metrics, on the watcher's thread. Finding a call site's file and line takes milliseconds,
/// and a meter's listeners are foreign code.
/// </summary>
internal sealed class SiteFeed(SiteLog log, WaitRecorder recorder, ProbeMetrics metrics) : IWatcherListener
{
    public void OnTick(PoolSample sample, LiveSegments live)
    {
        Flush();
        log.LogNew();
    }

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load) => log.LogRepeats();

    /// <summary>Counts the waits since the last tick.</summary>
    public void Flush()
    {
        recorder.TakeCounts(metrics.Add);
        metrics.AddTime();
    }
}
