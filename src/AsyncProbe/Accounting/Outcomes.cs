using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Accounting;

/// <summary>Reads from a finished response what kind of request it was.</summary>
internal static class Outcomes
{
    // In less time, no client leaves and no stream ends. The server creates the token and the header's text only on request.
    private static Duration TooShort => Duration.Millisecond;

    private static Duration LongLivedAfter => Duration.Second;

    public static RequestOutcome Read(HttpContext context, RequestProbe probe, Duration duration)
    {
        var outcome = probe.IsFromCache ? RequestOutcome.FromCache : RequestOutcome.None;
        if (context.Response.StatusCode >= StatusCodes.Status500InternalServerError)
        {
            outcome |= RequestOutcome.Failed;
        }

        if (duration > TooShort && context.RequestAborted.IsCancellationRequested)
        {
            outcome |= RequestOutcome.Aborted;
        }

        if (IsLongLived(context, duration))
        {
            outcome |= RequestOutcome.LongLived;
        }

        return outcome;
    }

    /// <summary>
    /// Whether the static file middleware answered, which sets no endpoint. Its responses offer byte ranges, which nothing else does by
    /// default.
    /// </summary>
    public static bool IsStaticFile(HttpResponse response) =>
        response.StatusCode < StatusCodes.Status400BadRequest && response.Headers.AcceptRanges == "bytes";

    private static bool IsLongLived(HttpContext context, Duration duration) =>
        context.Response.StatusCode == StatusCodes.Status101SwitchingProtocols
        || (duration > LongLivedAfter && (IsEventStream(context.Response) || HttpMethods.IsConnect(context.Request.Method)));

    private static bool IsEventStream(HttpResponse response) =>
        response.ContentType?.StartsWith("text/event-stream", StringComparison.OrdinalIgnoreCase) == true;
}
