using System.Net;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Follows a redirect only where the session itself sends to: a server may not turn a load against another.</summary>
internal sealed class Redirects(IEnumerable<Uri> targets)
{
    /// <summary>As browsers and HttpClient do, roughly.</summary>
    public const int Most = 50;

    private readonly HashSet<string> _hosts = [.. targets.Select(Host)];

    /// <summary>Where to, if anywhere; or why not there.</summary>
    public (Uri? Target, string? Refusal) Next(HttpResponseMessage response, Uri from)
    {
        if ((int)response.StatusCode is not (300 or 301 or 302 or 303 or 307 or 308) || response.Headers.Location is not { } location)
        {
            return (null, null);
        }

        var target = location.IsAbsoluteUri ? location : new Uri(from, location);
        if (target.Scheme is not ("http" or "https") || (from.Scheme == "https" && target.Scheme == "http"))
        {
            // Not followed, as HttpClient does: the response stands for itself.
            return (null, null);
        }

        return _hosts.Contains(Host(target))
            ? (target, null)
            : (null,
                SafeText.From(
                    $"redirected to another host, {target.IdnHost}: not followed (request it in the session, or use --no-redirect)"));
    }

    /// <summary>A form becomes a GET, as in browsers; 307 and 308 repeat the request as it was.</summary>
    public static HttpMethod MethodAfter(HttpStatusCode status, HttpMethod method) => (int)status switch
    {
        300 or 301 or 302 when method == HttpMethod.Post => HttpMethod.Get,
        303 when method != HttpMethod.Head => HttpMethod.Get,
        _ => method,
    };

    /// <summary>All names of this machine are one host.</summary>
    private static string Host(Uri url) => url.IsLoopback ? "loopback" : url.IdnHost.ToLowerInvariant();
}
