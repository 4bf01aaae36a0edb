using System.Net;

namespace AsyncProbe.Cli.Load;

/// <summary>Adds the cookies of a request's literal Cookie header to the container, unless it already has one with that name.</summary>
internal static class Cookies
{
    public static void Seed(CookieContainer container, Uri url, string header)
    {
        var known = container.GetCookies(url);
        foreach (var pair in header.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = pair.Split('=', 2);
            if (parts.Length == 2 && known[parts[0]] is null)
            {
                container.Add(url, new Cookie(parts[0], parts[1].Replace(",", "%2C", StringComparison.Ordinal)));
            }
        }
    }
}
