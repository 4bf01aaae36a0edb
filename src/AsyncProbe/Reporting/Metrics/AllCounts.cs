using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Everything that is counted since startup or the last reset.</summary>
internal sealed class AllCounts(
    EndpointTable endpoints, BlockingTime time, BlockingSites sites, WaitRecorder waits, SnapshotTaker snapshots, Arming arming,
    ProbeMetrics metrics)
{
    /// <summary>Starts counting from zero. Requests in flight stay in flight, and are counted when they end.</summary>
    public void Reset()
    {
        endpoints.Reset();

        // The series are sums of what the sites have counted, so both are reset under one lock.
        time.Reset(metrics.IsTimeRecorded, resetSites: sites.Reset);
        waits.Reset();

        // After the sites: a wait that goes on needs a new snapshot, which counts it at a new site.
        snapshots.Reset();

        // After the endpoints, because arming decides by their counts.
        arming.Reset();
    }
}
