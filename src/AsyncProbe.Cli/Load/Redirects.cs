using System.Net;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Follows a redirect only to hosts that the session itself uses: a server must not turn a load against another one.</summary>
internal sealed class Redirects(IEnumerable<Uri> targets)
{
    /// <summary>About the limit of browsers and HttpClient.</summary>
    public const int Most = 50;

    private readonly HashSet<string> _hosts = [.. targets.Select(Host)];

    /// <summary>The target if the redirect is followed, or why it is refused; both are null if the response is not a redirect.</summary>
    public (Uri? Target, string? Refusal) Next(HttpResponseMessage response, Uri from)
    {
        if ((int)response.StatusCode is not (300 or 301 or 302 or 303 or 307 or 308) || response.Headers.Location is not { } location)
        {
            return (null, null);
        }

        var target = location.IsAbsoluteUri ? location : new Uri(from, location);
        if (target.Scheme is not ("http" or "https") || (from.Scheme == "https" && target.Scheme == "http"))
        {
            // HttpClient doesn't follow these either; the redirect response itself is the result.
            return (null, null);
        }

        return _hosts.Contains(Host(target))
            ? (target, null)
            : (null,
                SafeText.From(
                    $"redirected to another host, {target.IdnHost}: not followed (request it in the session, or use --no-redirect)"));
    }

    /// <summary>A POST becomes a GET, as in browsers; 307 and 308 repeat the request unchanged.</summary>
    public static HttpMethod MethodAfter(HttpStatusCode status, HttpMethod method) => (int)status switch
    {
        300 or 301 or 302 when method == HttpMethod.Post => HttpMethod.Get,
        303 when method != HttpMethod.Head => HttpMethod.Get,
        _ => method,
    };

    /// <summary>All names of this machine count as one host.</summary>
    private static string Host(Uri url) => url.IsLoopback ? "loopback" : url.IdnHost.ToLowerInvariant();
}
