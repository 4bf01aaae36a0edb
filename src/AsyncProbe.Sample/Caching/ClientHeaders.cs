using Microsoft.Net.Http.Headers;

namespace AsyncProbe.Sample.Caching;

/// <summary>Writes the headers that say whether and how long a client may keep an answer.</summary>
internal static class ClientHeaders
{
    public static void Write(CacheOutputAttribute rules, HttpContext context)
    {
        var isKnown = Caller.IsKnown(context);
        if (rules.AnonymousOnly && isKnown)
        {
            return;
        }

        var headers = context.Response.GetTypedHeaders();
        if (rules.ClientTimeSpan > 0 || rules.MustRevalidate || rules.Private)
        {
            headers.CacheControl = new CacheControlHeaderValue
            {
                MaxAge = TimeSpan.FromSeconds(rules.ClientTimeSpan),
                MustRevalidate = rules.MustRevalidate,
                Private = rules.Private,
                NoCache = rules.NoCache,
            };
        }
        else if (rules.NoCache)
        {
            headers.CacheControl = new CacheControlHeaderValue { NoCache = true };
            context.Response.Headers.Pragma = "no-cache";
        }

        // The tag identifies the stored copy. If nothing is stored, it could never match.
        if (rules.ServerTimeSpan > 0 && !isKnown)
        {
            headers.ETag = new EntityTagHeaderValue($"\"{Guid.NewGuid():N}\"");
        }
    }
}
