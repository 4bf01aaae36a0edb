using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Notes that output caching served the request. The <c>Age</c> header would not do: a 304 has none. The policy changes nothing; output
/// caching stays off where the app has not switched it on.
/// </summary>
internal sealed class CacheHitPolicy : IOutputCachePolicy
{
    public static CacheHitPolicy Instance { get; } = new();

    public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation) => ValueTask.CompletedTask;

    public ValueTask ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => Note(context, true);

    // An entry that turned out to be stale is followed by the real work.
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
