using AsyncProbe.Common;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Requests.OutputCaching;

/// <summary>
/// Warns once if output caching comes before a branch that uses AsyncProbe. If the server's own pipeline uses AsyncProbe, nothing comes
/// before it.
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
