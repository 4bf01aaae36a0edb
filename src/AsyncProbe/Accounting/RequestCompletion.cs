using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Accounting;

/// <summary>
/// Ends the measurement of each request: follows what the server runs for it after the pipeline, and counts it when all of that is done.
/// Nothing here throws into a request.
/// </summary>
internal sealed class RequestCompletion
{
    private readonly EndpointTable _endpoints;
    private readonly Arming _arming;
    private readonly ProbeMetrics _metrics;
    private readonly Faults _faults;
    private readonly Func<object, Task> _enterAgain;
    private readonly Func<object, Task> _enterEnd;
    private readonly Func<object, Task> _end;

    public RequestCompletion(EndpointTable endpoints, Arming arming, ProbeMetrics metrics, Faults faults)
    {
        _endpoints = endpoints;
        _arming = arming;
        _metrics = metrics;
        _faults = faults;
        _enterAgain = faults.Guarded<RequestLife>(static request => request.EnterAgain());
        _enterEnd = faults.Guarded<RequestLife>(static request => request.EnterEnd());
        _end = faults.Guarded<RequestLife>(End);
    }

    /// <summary>
    /// Registers the end, and offers the request's figures to the application. Call this before any other callback is registered. Then the
    /// end runs after all of them, and after the request's services are disposed.
    /// </summary>
    public void Register(HttpContext context, RequestLife request)
    {
        try
        {
            context.Features.Set<IAsyncProbeFeature>(request.Probe);
            request.Response.OnCompleted(_end, request);
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    /// <summary>
    /// Called for an attached probe by the server's own event once everything has run: the request leaves and ends at the same time.
    /// </summary>
    public void OnServerDone(HttpContext context, RequestLife request)
    {
        try
        {
            var endedAt = request.Leave(isServerFlow: true);
            request.OnServerDone();
            if (FindTotals(context, request.Probe) is not null)
            {
                request.Outcome |= Outcomes.Read(context, request.Probe, endedAt - request.Probe.StartedAt);
                Count(request, endedAt);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    /// <summary>Called when the pipeline has ended. The server may still run callbacks for the request.</summary>
    public void OnLeft(HttpContext context, RequestLife request)
    {
        try
        {
            var leftAt = request.Leave();
            var probe = request.Probe;
            if (FindTotals(context, probe) is not { } totals)
            {
                return;
            }

            request.Outcome |= Outcomes.Read(context, probe, leftAt - probe.StartedAt);
            if (request.State != RequestState.Left)
            {
                // After an exception, some servers never run their completion callbacks.
                Count(request, leftAt);
                probe.IsCompleting = request.State == RequestState.CountedEarly;
            }

            // The callbacks run in reverse order of registration, so this one runs before the application's. If the request has its own
            // services, they are disposed in those callbacks.
            if (totals.Completions.IsOn || context.Features.Get<IServiceProvidersFeature>() is not null)
            {
                context.Response.OnCompleted(_enterEnd, request);
            }

            if (!context.Response.HasStarted)
            {
                context.Response.OnStarting(_enterAgain, request);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    // Null if the request isn't counted.
    private EndpointTotals? FindTotals(HttpContext context, RequestProbe probe)
    {
        if (probe.Totals is null)
        {
            probe.Attribute(Outcomes.IsStaticFile(context.Response) ? _endpoints.Static : _endpoints.Unmatched);
        }

        return probe.Totals is { IsIgnored: false } totals ? totals : null;
    }

    private void End(RequestLife request)
    {
        var before = request.OnServerDone();
        if (before is RequestState.Running or RequestState.Throwing or RequestState.ServerFirst or RequestState.Counted
            || request.Probe.Totals is not { IsIgnored: false } totals)
        {
            return;
        }

        var now = request.LeaveAgain(before is RequestState.Completing or RequestState.CompletingLate, totals.Completions);
        request.Probe.IsCompleting = false;
        if (before is RequestState.Left or RequestState.Completing)
        {
            Count(request, now);
        }
    }

    private void Count(RequestLife request, Timestamp now)
    {
        var probe = request.Probe;
        if (probe.Totals is not { } totals)
        {
            return;
        }

        var (whole, rest) = probe.End(now);
        try
        {
            _arming.OnEnded(probe, totals, whole, now);
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        // Before the count, so that anyone who sees the count also sees the rest.
        _metrics.OnEnded(totals, whole);
        totals.End(whole, rest, request.Segments, now - probe.StartedAt, request.Outcome, probe.Waits, now);
    }
}
