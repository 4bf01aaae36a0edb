using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Sample.Caching;

/// <summary>
/// Caches an action's answer, on the server and at the client, with the options of Strathweb.CacheOutput: times in seconds, and an ETag
/// for each answer. ASP.NET Core's output caching stores the answers, so <c>UseOutputCache</c> is required.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class CacheOutputAttribute : Attribute, IOutputCachePolicy, IResultFilter
{
    /// <summary>How many seconds the server keeps an answer. Default 0: it keeps none.</summary>
    public int ServerTimeSpan { get; set; }

    /// <summary>How many seconds the client may use an answer without asking again (<c>max-age</c>). Default 0: not sent.</summary>
    public int ClientTimeSpan { get; set; }

    /// <summary>Whether the client must not use an outdated answer, even offline (<c>must-revalidate</c>). Default false.</summary>
    public bool MustRevalidate { get; set; }

    /// <summary>Whether only the caller's own cache may keep the answer, not a proxy (<c>private</c>). Default false.</summary>
    public bool Private { get; set; }

    /// <summary>Whether the client must ask every time before it uses an answer (<c>no-cache</c>). Default false.</summary>
    public bool NoCache { get; set; }

    /// <summary>Whether all query strings share one answer. Default false: each query string has its own.</summary>
    public bool ExcludeQueryStringFromCacheKey { get; set; }

    /// <summary>
    /// Whether to leave out the cache headers for signed-in callers. Default false. Regardless of this option, the server never stores
    /// their answers, because the next caller would get them.
    /// </summary>
    public bool AnonymousOnly { get; set; }

    ValueTask IOutputCachePolicy.CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation)
    {
        var http = context.HttpContext;
        var isCached = ServerTimeSpan > 0
            && (HttpMethods.IsGet(http.Request.Method) || HttpMethods.IsHead(http.Request.Method))
            && !Caller.IsKnown(http);
        context.EnableOutputCaching = isCached;
        context.AllowCacheLookup = isCached;
        context.AllowCacheStorage = isCached;

        // If many callers need an entry that isn't stored yet, one does the work and the others await its answer.
        context.AllowLocking = isCached;
        context.ResponseExpirationTimeSpan = TimeSpan.FromSeconds(ServerTimeSpan);
        context.CacheVaryByRules.QueryKeys = ExcludeQueryStringFromCacheKey ? default : "*";
        foreach (var tag in CacheTag.Of(http.GetEndpoint()))
        {
            context.Tags.Add(tag);
        }

        return ValueTask.CompletedTask;
    }

    ValueTask IOutputCachePolicy.ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => ValueTask.CompletedTask;

    ValueTask IOutputCachePolicy.ServeResponseAsync(OutputCacheContext context, CancellationToken cancellation)
    {
        // An error may be over before the cache entry expires, and a cookie belongs to one caller.
        var response = context.HttpContext.Response;
        if (response.StatusCode != StatusCodes.Status200OK || response.Headers.SetCookie.Count > 0)
        {
            context.AllowCacheStorage = false;
        }

        return ValueTask.CompletedTask;
    }

    // This is a filter because output caching copies the headers at the first byte and calls the policy above only after that.
    void IResultFilter.OnResultExecuting(ResultExecutingContext context)
    {
        if (context.IsEffectivePolicy<CacheOutputAttribute>(this) && ActionOutcome.IsSuccess(context.Result, context.HttpContext))
        {
            ClientHeaders.Write(this, context.HttpContext);
        }
    }

    void IResultFilter.OnResultExecuted(ResultExecutedContext context)
    {
    }
}
