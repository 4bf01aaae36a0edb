using AsyncProbe.Sample.Caching;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>Any change to it invalidates all its cached answers.</summary>
[ApiController]
[Route("auto")]
[AutoInvalidateCacheOutput]
[CacheOutput(ServerTimeSpan = 50)]
public sealed class AutoController(Reached reached) : ControllerBase
{
    [HttpGet]
    public int Get() => reached.Count("auto");

    [HttpGet("other")]
    public int Other() => reached.Count("other");

    [HttpPost, HttpPut, HttpPatch, HttpDelete]
    public IActionResult Change(int status = 200) => StatusCode(status);
}
