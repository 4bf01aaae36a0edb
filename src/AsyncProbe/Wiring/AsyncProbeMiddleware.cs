using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Requests;
using AsyncProbe.Requests.OutputCaching;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Wiring;

/// <summary>
/// One request, top to bottom: open a <see cref="RequestProbe"/>, let it follow the request over its threads, and close it when the server
/// has disposed of the request.
/// </summary>
[FrameOwner(FrameOwner.ProbeEntry)]
internal sealed class AsyncProbeMiddleware(
    RequestDelegate next, RequestAccounting accounting, RequestCompletion completion, CacheOrder? order)
{
    public Task InvokeAsync(HttpContext context)
    {
        // The feature is there when an error handler before us runs the pipeline again, and in a branch of a pipeline that is measured as
        // a whole: the request is counted already.
        if (context.Features.Get<IAsyncProbeFeature>() is RequestProbe || accounting.Begin(context) is not { } request)
        {
            return next(context);
        }

        completion.Register(request);
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
            completion.OnLeft(context, request);
        }
    }
}
