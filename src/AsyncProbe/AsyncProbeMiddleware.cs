using AsyncProbe.Blocking;
using AsyncProbe.Reporting;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe;

/// <summary>
/// One request, top to bottom: open a <see cref="RequestProbe"/>, let it follow the request over its threads, put the headers on the
/// response when it starts, then close, name the endpoint and count.
/// </summary>
internal sealed class AsyncProbeMiddleware
{
    private readonly RequestDelegate _next;
    private readonly EndpointTable _endpoints;
    private readonly Arming _arming;
    private readonly ResponseHeaders _headers;
    private readonly Metrics _metrics;
    private readonly CacheOrder _cacheOrder;
    private readonly ILogger _logger;
    private readonly Func<object, Task> _writeHeaders;
    private readonly Func<object, Task> _writePoolHeaders;
    private readonly bool _emitsHeaders;
    private readonly double _sampleRate;

    public AsyncProbeMiddleware(
        RequestDelegate next,
        bool isRoutedAfter,
        EndpointTable endpoints,
        Arming arming,
        ResponseHeaders headers,
        Metrics metrics,
        CacheOrder cacheOrder,
        IOptions<AsyncProbeOptions> options,
        ILogger<AsyncProbeMiddleware> logger)
    {
        _next = next;
        _endpoints = endpoints;
        _arming = arming;
        _headers = headers;
        _metrics = metrics;
        _cacheOrder = cacheOrder;
        _logger = logger;
        _writeHeaders = WriteHeaders;
        _writePoolHeaders = WritePoolHeaders;
        _emitsHeaders = options.Value.Headers == true;
        _sampleRate = options.Value.SampleRate;
        cacheOrder.OnProbeMade();
        if (isRoutedAfter)
        {
            Log.RoutedLate(logger);
        }
    }

    public Task InvokeAsync(HttpContext context)
    {
        // The feature is there when an error handler before us runs the pipeline again for a request that is counted already.
        if (context.Features.Get<IAsyncProbeFeature>() is RequestProbe)
        {
            return _next(context);
        }

        var endpoint = context.GetEndpoint();
        var totals = endpoint is null ? null : _endpoints.Of(endpoint, context.Request.Method);
        if (totals is { IsIgnored: true })
        {
            return _next(context);
        }

        if (_sampleRate < 1 && Random.Shared.NextDouble() >= _sampleRate)
        {
            if (_emitsHeaders)
            {
                context.Response.OnStarting(_writePoolHeaders, context.Response);
            }

            return _next(context);
        }

        return Measure(context, totals);
    }

    private async Task Measure(HttpContext context, EndpointTotals? totals)
    {
        var probe = new RequestProbe();
        Prepare(context, probe, totals);

        var outcome = RequestOutcome.None;
        var saved = ThreadSegments.Enter(probe);
        try
        {
            await _next(context);
        }
        catch (Exception e) when (Note(e, context, ref outcome))
        {
            throw;
        }
        finally
        {
            var endedAt = ThreadSegments.Leave(probe, saved);
            CountSafely(context, probe, endedAt, outcome);
        }
    }

    private void Prepare(HttpContext context, RequestProbe probe, EndpointTotals? totals)
    {
        context.Features.Set<IAsyncProbeFeature>(probe);
        _arming.Begin(probe);
        if (totals is not null)
        {
            _arming.Attribute(probe, totals);
        }
        else
        {
            context.Features.Set<IEndpointFeature>(new LateRouting(probe, _endpoints, _arming, context.Request.Method));
        }

        if (_emitsHeaders)
        {
            context.Response.OnStarting(_writeHeaders, new StartingResponse(context.Response, probe));
        }

        _cacheOrder.OnRequest(context);
    }

    /// <summary>Notes how the request failed. Always false, as an exception filter, so that the exception passes by untouched.</summary>
    private static bool Note(Exception exception, HttpContext context, ref RequestOutcome outcome)
    {
        if (context.RequestAborted.IsCancellationRequested)
        {
            outcome |= RequestOutcome.Aborted;
        }
        else if (exception is not BadHttpRequestException { StatusCode: < StatusCodes.Status500InternalServerError })
        {
            outcome |= RequestOutcome.Failed;
        }

        return false;
    }

    // What listens to the metrics is somebody else's code, and a request that went well must not fail on us.
    private void CountSafely(HttpContext context, RequestProbe probe, long endedAt, RequestOutcome outcome)
    {
        try
        {
            Count(context, probe, endedAt, outcome);
        }
        catch (Exception e)
        {
            Log.NotCounted(_logger, e);
        }
    }

    private void Count(HttpContext context, RequestProbe probe, long endedAt, RequestOutcome outcome)
    {
        if (probe.Totals is not { } totals)
        {
            totals = Outcomes.IsStaticFile(context.Response) ? _endpoints.Static : _endpoints.Unmatched;
            probe.Attribute(totals);
        }

        var (whole, rest) = probe.End(endedAt);
        var duration = endedAt - probe.StartedAt;
        _arming.OnEnded(probe, totals, whole, endedAt);
        _metrics.OnRequest(totals, whole);
        totals.End(whole, rest, probe.Segments, duration, outcome | Outcomes.Of(context, probe, duration));
    }

    private Task WriteHeaders(object state)
    {
        var (response, probe) = (StartingResponse)state;
        try
        {
            _headers.Write(response.Headers, probe);
        }
        catch (Exception e)
        {
            Log.NotCounted(_logger, e);
        }

        return Task.CompletedTask;
    }

    private Task WritePoolHeaders(object state)
    {
        _headers.WritePool(((HttpResponse)state).Headers);
        return Task.CompletedTask;
    }

    /// <summary>What the headers need when the response starts; cheaper than to look the probe up among the features.</summary>
    private sealed record StartingResponse(HttpResponse Response, RequestProbe Probe);
}
