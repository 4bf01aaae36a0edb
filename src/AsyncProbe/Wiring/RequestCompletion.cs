using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Wiring;

/// <summary>
/// Ends the account of each request: follows what the server runs for it after the pipeline, and counts it when all of that is done.
/// Nothing in here throws into a request.
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
        _enterAgain = EnterAgain;
        _enterEnd = EnterEnd;
        _end = End;
    }

    /// <summary>
    /// To be called before any other callback is registered, so that the end runs after all of them, and after the request's services were
    /// disposed.
    /// </summary>
    public void Register(MeasuredRequest request) => request.Response.OnCompleted(_end, request);

    /// <summary>The pipeline has ended. The server may still run callbacks for the request.</summary>
    public void OnLeft(HttpContext context, MeasuredRequest request)
    {
        try
        {
            var leftAt = request.Exit();
            var probe = request.Probe;
            if (probe.Totals is null)
            {
                probe.Attribute(Outcomes.IsStaticFile(context.Response) ? _endpoints.Static : _endpoints.Unmatched);
            }

            if (probe.Totals is not { IsIgnored: false } totals)
            {
                return;
            }

            request.Outcome |= Outcomes.Read(context, probe, leftAt - probe.StartedAt);
            if (request.HasThrown || request.IsServerDone)
            {
                // After an exception not every server comes to its completion callbacks.
                Count(request, leftAt);
                probe.IsCompleting = !request.IsServerDone;
            }

            // The callbacks run in the reverse order of their registration: this one runs before those of the application. A request that
            // has services of its own has them disposed there.
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

    // These two are not async: the server awaits its callbacks in one method, whose context a synchronous callback changes for those after
    // it.
    private Task EnterAgain(object state)
    {
        try
        {
            ((MeasuredRequest)state).EnterAgain();
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }

    private Task EnterEnd(object state)
    {
        try
        {
            ((MeasuredRequest)state).EnterEnd();
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }

    private Task End(object state)
    {
        var request = (MeasuredRequest)state;
        try
        {
            if (!request.HasLeft)
            {
                request.IsServerDone = true;
            }
            else if (request.Probe.Totals is { IsIgnored: false } totals)
            {
                var now = request.End(totals.Completions);
                request.Probe.IsCompleting = false;
                Count(request, now);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }

    private void Count(MeasuredRequest request, Timestamp now)
    {
        var probe = request.Probe;
        if (request.IsCounted || probe.Totals is not { } totals)
        {
            return;
        }

        request.IsCounted = true;
        var (whole, rest) = probe.End(now);
        try
        {
            _arming.OnEnded(probe, totals, whole, now);
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        // Before the count: who sees the count sees the rest.
        _metrics.OnEnded(totals, whole);
        totals.End(whole, rest, request.Segments, now - probe.StartedAt, request.Outcome, probe.Waits, now);
    }
}
