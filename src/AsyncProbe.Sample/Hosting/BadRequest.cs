using Microsoft.AspNetCore.Diagnostics;

namespace AsyncProbe.Sample.Hosting;

/// <summary>What the caller got wrong is told to the caller, in the words of whoever noticed.</summary>
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
