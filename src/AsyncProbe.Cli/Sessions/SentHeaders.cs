namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// The headers that a request sends: its own, after the session's options are applied. They may still contain variables.
/// </summary>
internal static class SentHeaders
{
    /// <summary>WebSurge never sends these either: the handler sets them, or they would change the meaning of a repeated request.</summary>
    private static readonly HashSet<string> s_never = new(StringComparer.OrdinalIgnoreCase)
    {
        "Date", "Expect", "If-Modified-Since", "Proxy-Connection", "Transfer-Encoding", "Host", "Content-Length",
    };

    public static bool IsNever(string name) => s_never.Contains(name);

    public static IEnumerable<SessionHeader> Find(SessionRequest request, SessionOptions options, SessionVariables variables)
    {
        foreach (var header in request.Headers.Where(header => !header.IsForTheRunner))
        {
            yield return new(header.Name.Trim(), Replaced(header, options, variables));
        }

        if (options.UserAgent is { Length: > 0 } agent && request.Header("User-Agent") is null)
        {
            yield return new("User-Agent", agent);
        }
    }

    private static string Replaced(SessionHeader header, SessionOptions options, SessionVariables variables)
    {
        if (header.Is("Cookie") && options.ReplaceCookieValue is { Length: > 0 } cookie)
        {
            return cookie;
        }

        // Since version 2.3 only a bearer token is replaced; a Basic or Digest header stays.
        return header.Is("Authorization") && options.ReplaceAuthorization is { Length: > 0 } authorization
            && variables.Expand(header.Value).StartsWith("Bearer", StringComparison.OrdinalIgnoreCase)
            ? authorization
            : header.Value;
    }
}
