using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Sample.Caching;

/// <summary>
/// Keeps an action's answer, on the server and at the client, in the words of Strathweb.CacheOutput: seconds, and each answer with an ETag
/// of its own. The storing is done by ASP.NET Core's output caching, so <c>UseOutputCache</c> is needed.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class CacheOutputAttribute : Attribute, IOutputCachePolicy, IResultFilter
{
    /// <summary>Seconds that the server keeps an answer. Default 0: it keeps none.</summary>
    public int ServerTimeSpan { get; set; }

    /// <summary>Seconds that the client may use an answer without asking (<c>max-age</c>). Default 0: not said.</summary>
    public int ClientTimeSpan { get; set; }

    /// <summary>The client asks again once the answer is too old, even when offline (<c>must-revalidate</c>). Default false.</summary>
    public bool MustRevalidate { get; set; }

    /// <summary>Only the caller's own cache may keep the answer, no proxy (<c>private</c>). Default false.</summary>
    public bool Private { get; set; }

    /// <summary>The client asks every time before it uses an answer (<c>no-cache</c>). Default false.</summary>
    public bool NoCache { get; set; }

    /// <summary>One answer for all query strings. Default false: one for each.</summary>
    public bool ExcludeQueryStringFromCacheKey { get; set; }

    /// <summary>
    /// A signed-in caller's answer gets no cache headers. Default false. Whatever is set here, the server itself never keeps one: the next
    /// caller would read it.
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

        // Of many callers of a cold entry one does the work; the others await its answer.
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
        // An error is over sooner than the cache is; a cookie belongs to one caller.
        var response = context.HttpContext.Response;
        if (response.StatusCode != StatusCodes.Status200OK || response.Headers.SetCookie.Count > 0)
        {
            context.AllowCacheStorage = false;
        }

        return ValueTask.CompletedTask;
    }

    // As a filter and not in the policy above: output caching copies the headers when the first byte is written and asks policies after it.
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
