using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Accounting;

/// <summary>
/// Starts and ends the measurement of each request: attributes it to its endpoint once routing has found one, follows what the server runs
/// for it after the pipeline, and counts it when all of that is done. Nothing here throws into a request.
/// </summary>
internal sealed class RequestAccounting
{
    private readonly EndpointTable _endpoints;
    private readonly Arming _arming;
    private readonly Completion _completion;
    private readonly RequestHeaders _headers;
    private readonly Faults _faults;
    private readonly LegacyActions? _legacyActions;
    private readonly double _sampleRate;
    private readonly Func<object, Task> _enterAgain;
    private readonly Func<object, Task> _enterEnd;
    private readonly Func<object, Task> _end;

    public RequestAccounting(
        EndpointTable endpoints,
        Arming arming,
        Completion completion,
        RequestHeaders headers,
        Faults faults,
        LegacyActions legacyActions,
        IOptions<AsyncProbeOptions> options)
    {
        _endpoints = endpoints;
        _arming = arming;
        _completion = completion;
        _headers = headers;
        _faults = faults;
        _legacyActions = legacyActions.AreUsed ? legacyActions : null;
        _sampleRate = options.Value.SampleRate;
        _enterAgain = faults.Guarded<RequestLife>(static request => request.EnterAgain());
        _enterEnd = faults.Guarded<RequestLife>(static request => request.EnterEnd());
        _end = faults.Guarded<RequestLife>(End);
    }

    /// <summary>Starts measuring a request; null if it isn't measured.</summary>
    public RequestLife? Begin(HttpContext context)
    {
        try
        {
            var endpoint = context.GetEndpoint();
            var totals = endpoint is null ? null : _endpoints.GetOrAdd(endpoint, context.Request.Method);
            if (totals is { IsIgnored: true })
            {
                return null;
            }

            return _sampleRate < 1 && !TrySample(context) ? null : Begin(context, totals);
        }
        catch (Exception e)
        {
            _faults.Note(e);
            return null;
        }
    }

    /// <summary>Attributes the request to its endpoint.</summary>
    public void Attribute(RequestLife request, Endpoint endpoint)
    {
        try
        {
            var probe = request.Probe;
            var totals = _endpoints.GetOrAdd(endpoint, request.Method);
            _arming.Attribute(probe, totals);
            if (totals.IsIgnored)
            {
                ThreadSegments.Drop(probe);
                probe.End(Timestamp.Now());
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

    /// <summary>Attributes the request to an action by its route values, if they match one.</summary>
    public void Attribute(RequestLife request, LegacyActions actions, RouteValueDictionary values)
    {
        try
        {
            if (actions.Find(values, request.Method) is { } endpoint)
            {
                Attribute(request, endpoint);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
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
            if (FindTotals(context, request.Probe) is { } totals)
            {
                request.Outcome |= Outcomes.Read(context, request.Probe, endedAt - request.Probe.StartedAt);
                Count(request, totals, endedAt);
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
                Count(request, totals, leftAt);
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

    private bool TrySample(HttpContext context)
    {
        // The request comes here again in a branch that uses AsyncProbe, and when an error handler runs the pipeline again. A second chance
        // would raise the rate.
        if (context.Features.Get<Unsampled>() is not null)
        {
            return false;
        }

        if (Random.Shared.NextDouble() < _sampleRate)
        {
            return true;
        }

        context.Features.Set(Unsampled.Instance);
        _headers.RegisterPool(context);
        return false;
    }

    private RequestLife Begin(HttpContext context, EndpointTotals? totals)
    {
        var probe = new RequestProbe();
        var response = context.Response;
        var request = new RequestLife(this, probe, response);

        _headers.Register(request);
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
                var earlier = context.Features.Get<IRouteValuesFeature>()?.RouteValues;
                context.Features.Set<IRouteValuesFeature>(new LegacyRouteValues(request, _legacyActions, earlier));
            }
        }

        return request;
    }

    private static bool IsWebSocket(HttpContext context) =>
        context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true }
        || context.Features.Get<IHttpExtendedConnectFeature>() is { IsExtendedConnect: true };

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
            Count(request, totals, now);
        }
    }

    private void Count(RequestLife request, EndpointTotals totals, Timestamp now) =>
        _completion.Count(request.Probe, totals, request.Segments, request.Outcome, now);

    /// <summary>A feature of each request that was left out.</summary>
    private sealed class Unsampled
    {
        public static Unsampled Instance { get; } = new();
    }
}
