using AsyncProbe.Reporting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Requests;

/// <summary>
/// Warns, once, of output caching ahead of us. A pipeline is built last to first, and output caching asks for its options when it is built:
/// if they were first asked for between our own making and the end, it stands ahead. Where the app had asked for them before, the first
/// requests tell.
/// </summary>
internal sealed class CacheOrder(ILogger<CacheOrder> logger) : IStartupFilter
{
    private const int RequestsLookedAt = 100;

    private bool _isCacheKnown;
    private bool _isProbeMadeFirst;
    private int _looks;

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
    {
        // The outermost is made last, and leaves no trace in the pipeline.
        app.Use(rest =>
        {
            if (_isProbeMadeFirst && _isCacheKnown)
            {
                Warn();
            }

            _isProbeMadeFirst = false;
            return rest;
        });
        next(app);

        // A branch is built when it is mapped, before what comes after it in the pipeline: of its place this tells nothing.
        _isProbeMadeFirst = false;
    };

    public void OnCacheOptions() => _isCacheKnown = true;

    public void OnProbeMade() => _isProbeMadeFirst = !_isCacheKnown;

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
        if (Interlocked.Exchange(ref _looks, RequestsLookedAt) < RequestsLookedAt)
        {
            Log.BehindOutputCache(logger);
        }
    }
}
