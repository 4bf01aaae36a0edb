using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Keeps output caching away from the report: one caller's report is not the next one's, and a stored one would be served before anybody
/// asks who may see it.
/// </summary>
internal sealed class NeverStored : IOutputCachePolicy
{
    public static NeverStored Policy { get; } = new();

    /// <summary>
    /// Output caching asks the base policies, the endpoint's last policy and its last attribute, in this order. Both are needed: without
    /// the attribute, one that the app puts on its endpoints would have the last word.
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

    /// <summary>For output caching that stands before routing and knows no endpoint, and for caches between here and the caller.</summary>
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
