using AsyncProbe.Accounting;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Requests;
using AsyncProbe.Requests.OutputCaching;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Wiring;

/// <summary>
/// Measures one request from start to end: opens a <see cref="RequestProbe"/>, lets it follow the request across threads, and closes it
/// when the server has disposed of the request.
/// </summary>
[FrameOwner(FrameOwner.ProbeEntry)]
internal sealed class AsyncProbeMiddleware(RequestDelegate next, RequestAccounting accounting, CacheOrder? order)
{
    public Task InvokeAsync(HttpContext context)
    {
        // The request is already counted if the feature exists: an earlier error handler ran the pipeline again, or this is a branch of a
        // pipeline that is measured as a whole.
        if (context.Features.Get<IAsyncProbeFeature>() is RequestProbe || accounting.Begin(context) is not { } request)
        {
            return next(context);
        }

        accounting.Register(context, request);
        order?.OnRequest(context);
        return Measure(context, request);
    }

    private async Task Measure(HttpContext context, RequestLife request)
    {
        request.Enter();
        try
        {
            await next(context);
        }
        catch (Exception e) when (request.Note(e, context))
        {
            throw;
        }
        finally
        {
            accounting.OnLeft(context, request);
        }
    }
}
