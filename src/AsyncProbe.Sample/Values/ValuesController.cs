using System.ComponentModel.DataAnnotations;
using AsyncProbe.Sample.Caching;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Values;

/// <summary>The same answer after the same wait: with a held thread, without one, and from the cache.</summary>
[ApiController]
[Route("values")]
[AutoInvalidateCacheOutput]
public sealed class ValuesController : ControllerBase
{
    private static readonly string[] Answer = ["value1", "value2"];

    /// <summary>Sleeps: a pool thread is held for all of it and does nothing.</summary>
    /// <param name="ms">How long, from 0 to 10000 ms.</param>
    [HttpGet("sleep")]
    public string[] Sleep([Range(0, 10_000)] int ms = 1000)
    {
        Thread.Sleep(ms);
        return Answer;
    }

    /// <summary>Waits for the same time without holding a thread.</summary>
    /// <param name="ms">How long, from 0 to 10000 ms.</param>
    [HttpGet("delay")]
    public async Task<string[]> Delay([Range(0, 10_000)] int ms = 1000)
    {
        await Task.Delay(ms, HttpContext.RequestAborted);
        return Answer;
    }

    /// <summary>Waits the first time. For the next 50 seconds, the answer comes from the cache and the method isn't called.</summary>
    /// <param name="ms">How long, from 0 to 10000 ms.</param>
    [HttpGet("cached")]
    [CacheOutput(ClientTimeSpan = 50, ServerTimeSpan = 50)]
    public Task<string[]> Cached([Range(0, 10_000)] int ms = 1000) => Delay(ms);

    /// <summary>Only clears the cache: it deletes the stored answers of this controller.</summary>
    [HttpPost]
    [ProducesResponseType(StatusCodes.Status204NoContent)]
    public IActionResult Post() => NoContent();
}
