using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Adds <see cref="CacheHitPolicy"/> once, no matter how often <c>AddAsyncProbe</c> is called. Runs only in apps that use output caching.
/// </summary>
internal sealed class CacheHitSetup(IOptions<AsyncProbeOptions> options) : IConfigureOptions<OutputCacheOptions>
{
    public void Configure(OutputCacheOptions cache)
    {
        if (options.Value.Enabled)
        {
            cache.AddBasePolicy(CacheHitPolicy.Instance);
        }
    }
}
