using Microsoft.AspNetCore.Diagnostics;

namespace AsyncProbe.Sample.Hosting;

/// <summary>Answers a bad request with the exception's own message, so that callers learn what they did wrong.</summary>
internal sealed class BadRequest : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (exception is not BadHttpRequestException bad)
        {
            return false;
        }

        await Results.Problem(bad.Message, statusCode: bad.StatusCode).ExecuteAsync(httpContext);
        return true;
    }
}
