using AsyncProbe.Sample.Caching;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>One action for each setting; each returns how often it was reached.</summary>
[ApiController]
[Route("cached/[action]")]
public sealed class CachedController(Reached reached) : ControllerBase
{
    [HttpGet, HttpHead, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 50)]
    public int Plain() => reached.Count(nameof(Plain));

    [HttpGet, CacheOutput(ServerTimeSpan = 50)]
    public int Slow()
    {
        Thread.Sleep(600);
        return reached.Count(nameof(Slow));
    }

    [HttpGet, CacheOutput(ServerTimeSpan = 50)]
    public async Task<int> Awaiting()
    {
        await Task.Delay(300);
        return reached.Count(nameof(Awaiting));
    }

    [HttpGet, CacheOutput(ServerTimeSpan = 1)]
    public int Fleeting() => reached.Count(nameof(Fleeting));

    [HttpGet, CacheOutput(ClientTimeSpan = 7)]
    public int ClientOnly() => reached.Count(nameof(ClientOnly));

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 7, MustRevalidate = true)]
    public int Revalidated() => reached.Count(nameof(Revalidated));

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 7, Private = true)]
    public int Own() => reached.Count(nameof(Own));

    [HttpGet, CacheOutput(NoCache = true)]
    public int Asked() => reached.Count(nameof(Asked));

    [HttpGet, CacheOutput(ServerTimeSpan = 50)]
    public int ByQuery(string? q) => reached.Count(nameof(ByQuery) + q);

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ExcludeQueryStringFromCacheKey = true)]
    public int ForAllQueries() => reached.Count(nameof(ForAllQueries));

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 50, AnonymousOnly = true)]
    public int Anonymous() => reached.Count(nameof(Anonymous));

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 50)]
    public IActionResult Failing() => StatusCode(500, reached.Count(nameof(Failing)));

    [HttpGet, CacheOutput(ServerTimeSpan = 50, ClientTimeSpan = 50)]
    public int Cookie()
    {
        Response.Cookies.Append("who", "one caller");
        return reached.Count(nameof(Cookie));
    }

    [HttpPost, InvalidateCacheOutput(nameof(Plain))]
    public IActionResult ForgetPlain(int status = 204) => StatusCode(status);

    [HttpPost, InvalidateCacheOutput(nameof(AutoController.Get), typeof(AutoController))]
    public IActionResult ForgetOther() => NoContent();
}
