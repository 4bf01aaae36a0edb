using AsyncProbe.Requests.OutputCaching;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Attach;

/// <summary>
/// Recognises what the application's output cache served. Nothing can add a policy to a running application, so this reads the <c>Age</c>
/// header, if the endpoint is cached at all. A 304 of the cache has no such header.
/// </summary>
internal static class CacheHits
{
    public static bool IsHit(HttpContext context, Endpoint? endpoint) =>
        context.Response.Headers.Age.Count > 0 && CachedEndpoints.Contain(endpoint);
}
