using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Accounting;

/// <summary>
/// Starts and ends the measurement of each operation, as the middleware does for a request. Both methods run in the code that starts and
/// stops the activity, so they never throw into it.
/// </summary>
internal sealed class OperationAccounting(EndpointTable table, Arming arming, Completion completion, Faults faults)
{
    public void OnStarted(Activity activity)
    {
        try
        {
            // An outgoing call is part of the work that makes it. Each activity belongs to one host: that of the request around it, or the
            // first host that is notified.
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
                // If it was stopped in another flow, or inside an operation that started later, there's no context to restore here.
                var now = probe == current ? flow.Exit() : Timestamp.Now();
                flow.Forget();
                var outcome = activity.Status == ActivityStatusCode.Error ? RequestOutcome.Failed : RequestOutcome.None;
                completion.Count(probe, totals, probe.Arrivals, outcome, now);
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

    private static bool IsCallToOthers(Activity activity) => activity.Kind is ActivityKind.Client or ActivityKind.Producer;

    // An activity without other listeners exists only for us. If it stayed current, it would become the parent of the application's own
    // spans. No sampler has chosen it, so a tracer that samples by the parent would drop them all. But only this activity knows a remote
    // parent; it stays current and passes on the parent's decision, which .NET 10 does not copy.
    private static void HideFromCode(Activity activity)
    {
        if (activity.IsAllDataRequested || Activity.Current != activity)
        {
            return;
        }

        if (!activity.HasRemoteParent)
        {
            Activity.Current = activity.Parent;
        }
        else if (ActivityContext.TryParse(activity.ParentId, null, out var parent))
        {
            activity.ActivityTraceFlags |= parent.TraceFlags & ActivityTraceFlags.Recorded;
        }
    }
}
