using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Notes that output caching served the request. The <c>Age</c> header isn't enough, because a 304 has none. The policy changes nothing;
/// output caching stays off unless the app turned it on.
/// </summary>
internal sealed class CacheHitPolicy : IOutputCachePolicy
{
    public static CacheHitPolicy Instance { get; } = new();

    public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation) => ValueTask.CompletedTask;

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
}
