using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Accounting;

/// <summary>Ends the measurement of a request or an operation, and counts it.</summary>
internal sealed class Completion(Arming arming, ProbeMetrics metrics, Faults faults)
{
    public void Count(RequestProbe probe, EndpointTotals totals, int segments, RequestOutcome outcome, Timestamp now)
    {
        var (whole, rest) = probe.End(now);
        try
        {
            arming.OnEnded(probe, totals, whole, now);
        }
        catch (Exception e)
        {
            faults.Note(e);
        }

        // Before the count, so that anyone who sees the count also sees the rest.
        metrics.OnEnded(totals, whole);
        totals.End(whole, rest, segments, now - probe.StartedAt, outcome, probe.Waits, now);
    }
}
