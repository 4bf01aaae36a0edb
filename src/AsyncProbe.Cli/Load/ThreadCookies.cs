using System.Net;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// A simulated thread's cookies: the servers' cookies, and the cookies of the session's requests. The thread sends a request's cookie also
/// with later requests to the same folder, unless the server has set a cookie with that name.
/// </summary>
internal sealed class ThreadCookies
{
    // As many as Chrome keeps. By default, the container drops the oldest of more than 20 cookies of a host.
    private readonly CookieContainer _fromServers = new(
        capacity: 3300, perDomainCapacity: 180, maxCookieSize: CookieContainer.DefaultCookieLengthLimit);

    // Not in the container, which refuses names and values that other clients send.
    private readonly List<SessionCookie> _fromSession = [];
    private readonly HashSet<int> _added = [];

    /// <summary>Adds the cookies of a request's Cookie headers, unless there is one with that name from an earlier request.</summary>
    public void Add(PreparedRequest request)
    {
        if (!_added.Add(request.Index))
        {
            return;
        }

        var known = _fromSession.Where(cookie => cookie.IsFor(request.Url)).Select(cookie => cookie.Name).ToHashSet(StringComparer.Ordinal);
        _fromSession.AddRange(
            request.Headers.Where(header => header.Is("Cookie"))
                .SelectMany(header => header.Value.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
                .Select(pair => new SessionCookie(request.Url, pair))
                .Where(cookie => !known.Contains(cookie.Name)));
    }

    public void Send(HttpRequestMessage message)
    {
        var url = message.RequestUri!;
        var header = _fromSession.Count == 0 ? _fromServers.GetCookieHeader(url) : Combine(url);
        if (header.Length > 0)
        {
            message.Headers.TryAddWithoutValidation("Cookie", header);
        }
    }

    /// <summary>Keeps the cookies of a response.</summary>
    /// <param name="url">Where it came from.</param>
    public void Keep(Uri url, HttpResponseMessage response)
    {
        if (response.Headers.NonValidated.TryGetValues("Set-Cookie", out var values))
        {
            foreach (var value in values)
            {
                Keep(url, value);
            }
        }
    }

    private void Keep(Uri url, string value)
    {
        try
        {
            _fromServers.SetCookies(url, value);
        }
        catch (CookieException)
        {
            // Browsers also ignore an unreadable cookie.
        }
    }

    private string Combine(Uri url)
    {
        var fromServers = _fromServers.GetCookies(url);
        return string.Join("; ",
        [
            .. fromServers.Select(cookie => cookie.ToString()),
            .. _fromSession.Where(cookie => cookie.IsFor(url) && fromServers[cookie.Name] is null).Select(cookie => cookie.Pair),
        ]);
    }
}
