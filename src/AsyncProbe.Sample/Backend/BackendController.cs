using System.ComponentModel.DataAnnotations;
using System.Diagnostics;
using AsyncProbe.Sample.Upstream;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.RateLimiting;

namespace AsyncProbe.Sample.Backend;

/// <summary>Calls another service that takes a while.</summary>
[ApiController]
[Route("backend")]
public sealed class BackendController(UpstreamClient upstream) : ControllerBase
{
    /// <summary>Calls it synchronously and holds the thread (<c>HttpClient.Send</c>).</summary>
    /// <param name="delayMs">How long the other service takes, from 0 to 5000 ms.</param>
    [HttpGet("sync")]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable)]
    public BackendAnswer Sync([Range(0, 5_000)] int delayMs = 100)
    {
        var began = Stopwatch.GetTimestamp();
        upstream.Wait(delayMs, HttpContext.RequestAborted);
        return BackendAnswer.After(delayMs, began);
    }

    /// <summary>Calls it and awaits the answer.</summary>
    /// <param name="delayMs">How long the other service takes, from 0 to 5000 ms.</param>
    [HttpGet("async")]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable)]
    public async Task<BackendAnswer> Async([Range(0, 5_000)] int delayMs = 100)
    {
        var began = Stopwatch.GetTimestamp();
        await upstream.WaitAsync(delayMs, HttpContext.RequestAborted);
        return BackendAnswer.After(delayMs, began);
    }

    /// <summary>Awaits at most 16 calls at a time, with 32 more in the queue; further requests get 503 immediately.</summary>
    /// <param name="delayMs">How long the other service takes, from 0 to 5000 ms.</param>
    [HttpGet("limited")]
    [EnableRateLimiting(BackendLimiter.Policy)]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable)]
    public Task<BackendAnswer> Limited([Range(0, 5_000)] int delayMs = 100) => Async(delayMs);
}
