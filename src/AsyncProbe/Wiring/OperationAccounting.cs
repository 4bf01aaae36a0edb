using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Wiring;

/// <summary>
/// Begins and ends the account of each operation: what the middleware is to a request. Both are called in the flow of the code that starts
/// and stops the activity, so nothing in here throws into it.
/// </summary>
internal sealed class OperationAccounting(EndpointTable table, Arming arming, ProbeMetrics metrics, Faults faults)
{
    public void OnStarted(Activity activity)
    {
        try
        {
            // A call to somebody else is part of the work that makes it. And each activity is one host's: that of the request around it, or
            // the first that hears of it.
            var outer = ThreadSegments.Current;
            if (IsCallToOthers(activity) || (outer?.Totals is { } others && !table.Owns(others)))
            {
                return;
            }

            Begin(activity, outer);
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    public void OnStopped(Activity activity)
    {
        try
        {
            var current = ThreadSegments.Current;
            if (!IsCallToOthers(activity)
                && OperationFlow.Find(activity, current) is { HasEnded: false, Operation: { } flow, Totals: { } totals } probe
                && table.Owns(totals))
            {
                // Stopped in another flow, or inside an operation that was started later, there is nothing to put back here.
                var now = probe == current ? flow.Exit() : Timestamp.Now();
                flow.Forget();
                End(activity, probe, totals, now);
            }
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    private void Begin(Activity activity, RequestProbe? outer)
    {
        var probe = new RequestProbe();
        probe.Nest(activity, outer);
        arming.BeginOperation(probe);
        arming.Attribute(probe, table.GetOrAddOperation(activity));
        HideFromCode(activity);
        probe.Operation!.Enter();
    }

    private void End(Activity activity, RequestProbe probe, EndpointTotals totals, Timestamp now)
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

        var outcome = activity.Status == ActivityStatusCode.Error ? RequestOutcome.Failed : RequestOutcome.None;
        metrics.OnEnded(totals, whole);
        totals.End(whole, rest, probe.Arrivals, now - probe.StartedAt, outcome, probe.Waits, now);
    }

    private static bool IsCallToOthers(Activity activity) => activity.Kind is ActivityKind.Client or ActivityKind.Producer;

    // An activity that nobody else listens to exists for us alone. As the current one it would be the parent of the application's own
    // spans, one that no sampler has chosen, and a tracer that samples by the parent would drop them all.
    private static void HideFromCode(Activity activity)
    {
        if (!activity.IsAllDataRequested && !activity.HasRemoteParent && Activity.Current == activity)
        {
            Activity.Current = activity.Parent;
        }
    }
}
