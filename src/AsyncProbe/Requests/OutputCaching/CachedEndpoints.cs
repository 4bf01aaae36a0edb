using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>The endpoints that have a cache policy.</summary>
internal static class CachedEndpoints
{
    public static bool Contain(Endpoint? endpoint) =>
        endpoint is not null
        && (endpoint.Metadata.GetMetadata<IOutputCachePolicy>() is not null
            || endpoint.Metadata.GetMetadata<OutputCacheAttribute>() is not null);
}
