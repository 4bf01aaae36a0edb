using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Keeps the report out of output caching. Each caller gets a different report, and the cache would serve a stored one before the access
/// check runs.
/// </summary>
internal sealed class NeverStored : IOutputCachePolicy
{
    public static NeverStored Policy { get; } = new();

    /// <summary>
    /// Output caching applies the base policies, then the endpoint's last policy, then its last attribute. We need both the policy and the
    /// attribute: without the attribute, one that the app puts on its endpoints would override the policy.
    /// </summary>
    public static OutputCacheAttribute Attribute { get; } = new() { NoStore = true };

    public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation)
    {
        context.EnableOutputCaching = false;
        context.AllowCacheLookup = false;
        return Forbid(context);
    }

    public ValueTask ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => ValueTask.CompletedTask;

    public ValueTask ServeResponseAsync(OutputCacheContext context, CancellationToken cancellation) => Forbid(context);

    /// <summary>For output caching that runs before routing, without an endpoint, and for caches on the way to the caller.</summary>
    public static void Apply(HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        if (context.Features.Get<IOutputCacheFeature>() is { Context: var cache })
        {
            cache.AllowCacheStorage = false;
        }
    }

    private static ValueTask Forbid(OutputCacheContext context)
    {
        context.AllowCacheStorage = false;
        return ValueTask.CompletedTask;
    }
}
