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
/// Starts the measurement of each request, and attributes it to its endpoint once routing has found one. <see cref="RequestHeaders"/> and
/// <see cref="RequestCompletion"/> do the rest. Nothing here throws into a request.
/// </summary>
internal sealed class RequestAccounting
{
    private readonly EndpointTable _endpoints;
    private readonly Arming _arming;
    private readonly RequestHeaders _headers;
    private readonly Faults _faults;
    private readonly LegacyActions? _legacyActions;
    private readonly double _sampleRate;

    public RequestAccounting(
        EndpointTable endpoints,
        Arming arming,
        RequestHeaders headers,
        Faults faults,
        LegacyActions legacyActions,
        IOptions<AsyncProbeOptions> options)
    {
        _endpoints = endpoints;
        _arming = arming;
        _headers = headers;
        _faults = faults;
        _legacyActions = legacyActions.AreUsed ? legacyActions : null;
        _sampleRate = options.Value.SampleRate;
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

    /// <summary>A feature of each request that was left out.</summary>
    private sealed class Unsampled
    {
        public static Unsampled Instance { get; } = new();
    }
}
