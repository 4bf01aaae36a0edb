using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Http;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>
/// Begins and ends the account of each request: the headers when its response starts, its endpoint when routing has found it, and the count
/// when the server has run all that belongs to it. Nothing in here throws into a request.
/// </summary>
internal sealed class RequestAccounting
{
    private readonly EndpointTable _endpoints;
    private readonly Arming _arming;
    private readonly ResponseHeaders _headers;
    private readonly ProbeMetrics _metrics;
    private readonly Faults _faults;
    private readonly LegacyActions? _legacyActions;
    private readonly Func<object, Task> _writeHeaders;
    private readonly Func<object, Task> _writePoolHeaders;
    private readonly Func<object, Task> _enterAgain;
    private readonly Func<object, Task> _enterEnd;
    private readonly Func<object, Task> _end;
    private readonly bool _emitsHeaders;
    private readonly double _sampleRate;

    public RequestAccounting(
        EndpointTable endpoints,
        Arming arming,
        ResponseHeaders headers,
        ProbeMetrics metrics,
        Faults faults,
        LegacyActions legacyActions,
        IOptions<AsyncProbeOptions> options)
    {
        _endpoints = endpoints;
        _arming = arming;
        _headers = headers;
        _metrics = metrics;
        _faults = faults;
        _legacyActions = legacyActions.AreUsed ? legacyActions : null;
        _writeHeaders = WriteHeaders;
        _writePoolHeaders = WritePoolHeaders;
        _enterAgain = EnterAgain;
        _enterEnd = EnterEnd;
        _end = End;
        _emitsHeaders = options.Value.EmitHeaders == true;
        _sampleRate = options.Value.SampleRate;
    }

    /// <summary>Null for a request that is not measured.</summary>
    public MeasuredRequest? Begin(HttpContext context)
    {
        try
        {
            var endpoint = context.GetEndpoint();
            var totals = endpoint is null ? null : _endpoints.GetOrAdd(endpoint, context.Request.Method);
            if (totals is { IsIgnored: true })
            {
                return null;
            }

            if (_sampleRate < 1 && Random.Shared.NextDouble() >= _sampleRate)
            {
                if (_emitsHeaders)
                {
                    context.Response.OnStarting(_writePoolHeaders, context);
                }

                return null;
            }

            return Begin(context, totals);
        }
        catch (Exception e)
        {
            _faults.Note(e);
            return null;
        }
    }

    /// <summary>Names the request's endpoint.</summary>
    public void Attribute(MeasuredRequest request, Endpoint endpoint)
    {
        try
        {
            var probe = request.Probe;
            var totals = _endpoints.GetOrAdd(endpoint, request.Method);
            _arming.Attribute(probe, totals);
            if (totals.IsIgnored)
            {
                ThreadSegments.Drop(probe);
                probe.End(Nanoseconds.Now());
            }
            else if (ThreadSegments.Current == probe)
            {
                ThreadSegments.Install(probe);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    /// <summary>Names the request's endpoint by its route values, if they are those of an action.</summary>
    public void Attribute(MeasuredRequest request, LegacyActions actions, RouteValueDictionary values)
    {
        try
        {
            if (actions.Find(values) is { } endpoint)
            {
                Attribute(request, endpoint);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    /// <summary>The pipeline has ended. What the server runs for the request after it is still to come.</summary>
    public void OnLeft(HttpContext context, MeasuredRequest request)
    {
        var leftAt = request.Exit();
        try
        {
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

    private MeasuredRequest Begin(HttpContext context, EndpointTotals? totals)
    {
        var probe = new RequestProbe();
        var response = context.Response;
        var request = new MeasuredRequest(this, probe, response, context.Request.Method);

        // Registered before any other, so it runs after all of them, and after the request's services were disposed.
        response.OnCompleted(_end, request);
        if (_emitsHeaders)
        {
            response.OnStarting(_writeHeaders, request);
        }

        context.Features.Set<IAsyncProbeFeature>(probe);
        _arming.Begin(probe, IsWebSocket(context));
        if (totals is not null)
        {
            _arming.Attribute(probe, totals);
        }
        else
        {
            context.Features.Set<IEndpointFeature>(request);
            if (_legacyActions is not null)
            {
                context.Features.Set<IRouteValuesFeature>(new LegacyRouteValues(request, _legacyActions));
            }
        }

        return request;
    }

    private static bool IsWebSocket(HttpContext context) =>
        context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true }
        || context.Features.Get<IHttpExtendedConnectFeature>() is { IsExtendedConnect: true };

    // These two are not async: the server awaits its callbacks in one method, whose context a synchronous callback changes for those after
    // it.
    private Task EnterAgain(object state)
    {
        ((MeasuredRequest)state).EnterAgain();
        return Task.CompletedTask;
    }

    private Task EnterEnd(object state)
    {
        ((MeasuredRequest)state).EnterEnd();
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

    private void Count(MeasuredRequest request, long now)
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
        _metrics.OnRequest(totals, whole);
        totals.End(whole, rest, request.Segments, now - probe.StartedAt, request.Outcome, probe.Waits, now);
    }

    private Task WriteHeaders(object state)
    {
        var request = (MeasuredRequest)state;
        try
        {
            if (request.Probe.Totals is not { IsIgnored: true })
            {
                _headers.Write(request.Response.Headers, request.Probe);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }

    private Task WritePoolHeaders(object state)
    {
        var context = (HttpContext)state;
        try
        {
            if (context.GetEndpoint()?.Metadata.GetMetadata<NotCountedMetadata>() is null)
            {
                _headers.WritePool(context.Response.Headers);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }
}
