using AsyncProbe.Common;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Warns, once, of output caching ahead of a branch that uses AsyncProbe. Where the server's pipeline uses it, nothing is ahead.
/// </summary>
internal sealed class CacheOrder(ILogger<CacheOrder> logger, Faults faults)
{
    private const int RequestsLookedAt = 100;

    private int _looks;

    public void OnRequest(HttpContext context)
    {
        if (_looks >= RequestsLookedAt)
        {
            return;
        }

        if (context.Features.Get<IOutputCacheFeature>() is null)
        {
            _looks++;
        }
        else
        {
            Warn();
        }
    }

    private void Warn()
    {
        if (Interlocked.Exchange(ref _looks, RequestsLookedAt) >= RequestsLookedAt)
        {
            return;
        }

        try
        {
            Log.BehindOutputCache(logger);
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }
}
