using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Hands what was recorded to the log and the metrics, on the watcher's thread: the file and line of a call site take milliseconds to find,
/// and whoever listens to a meter is somebody else's code.
/// </summary>
internal sealed class SiteFeed(SiteLog log, WaitRecorder recorder, IWaitCounter counter, Faults faults) : IWatcherListener
{
    public void OnTick(PoolSample sample, LiveSegments live)
    {
        Flush();
        log.LogNew();
    }

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load) => log.LogRepeats();

    public void OnFault(Exception exception) => faults.Note(exception);

    /// <summary>Counts what has come since the last tick.</summary>
    public void Flush()
    {
        recorder.TakeCounts(counter.Add);
        counter.AddTime();
    }
}
