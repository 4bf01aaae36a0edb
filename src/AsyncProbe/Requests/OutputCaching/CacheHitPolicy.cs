using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Notes that output caching served the request. The <c>Age</c> header isn't enough, because a 304 has none. The policy caches nothing and
/// changes no entry.
/// </summary>
/// <param name="isOnlyBasePolicy">Whether the app has no base policy of its own.</param>
internal sealed class CacheHitPolicy(bool isOnlyBasePolicy) : IOutputCachePolicy
{
    /// <summary>Adds the policy to the app's base policies, once. Has no effect in an app without output caching.</summary>
    public static void AddTo(OutputCacheOptions cache)
    {
        var policies = BasePoliciesOf(cache) ?? [];
        if (!policies.Exists(policy => policy is CacheHitPolicy))
        {
            cache.AddBasePolicy(new CacheHitPolicy(isOnlyBasePolicy: policies.Count == 0));
        }
    }

    public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation)
    {
        // Output caching skips a request without a policy, and throws if a request that it doesn't skip already has the feature. If ours is
        // the request's only policy, the feature must not stay: the request may pass output caching again.
        if (isOnlyBasePolicy && !CachedEndpoints.Contain(context.HttpContext.GetEndpoint()))
        {
            context.HttpContext.Features.Set<IOutputCacheFeature>(null);
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => Note(context, true);

    // If a cached entry turned out to be stale, the app did the real work after all.
    public ValueTask ServeResponseAsync(OutputCacheContext context, CancellationToken cancellation) => Note(context, false);

    private static ValueTask Note(OutputCacheContext context, bool isFromCache)
    {
        if (context.HttpContext.Features.Get<IAsyncProbeFeature>() is RequestProbe probe)
        {
            probe.IsFromCache = isFromCache;
        }

        return ValueTask.CompletedTask;
    }

    // An internal property. If a runtime renames it, this throws, and the policy isn't added.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_BasePolicies")]
    private static extern List<IOutputCachePolicy>? BasePoliciesOf(OutputCacheOptions options);
}
