using System.Data.Common;
using System.Net.Sockets;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Hosting;

/// <summary>Answers 503 when the database or the other service isn't available: the caller isn't at fault and should try again.</summary>
internal sealed partial class Unavailable(IProblemDetailsService problems, ILogger<Unavailable> logger) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (!Chain(exception).Any(e => e is HttpRequestException or DbException or SocketException))
        {
            return false;
        }

        Missing(logger, httpContext.Request.Path, exception.GetBaseException().Message);
        httpContext.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
        httpContext.Response.Headers.RetryAfter = "1";
        return await problems.TryWriteAsync(new ProblemDetailsContext
        {
            HttpContext = httpContext,
            Exception = exception,
            ProblemDetails = new ProblemDetails
            {
                Status = StatusCodes.Status503ServiceUnavailable,
                Title = "What this route waits for is not there",
                Detail = "The database or the upstream process did not answer. Try again in a moment.",
            },
        });
    }

    private static IEnumerable<Exception> Chain(Exception exception)
    {
        for (var e = exception; e is not null; e = e.InnerException)
        {
            yield return e;
        }
    }

    [LoggerMessage(4, LogLevel.Warning, "{Path} answered 503: {Reason}")]
    private static partial void Missing(ILogger logger, string path, string reason);
}
