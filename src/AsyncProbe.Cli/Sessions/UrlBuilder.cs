namespace AsyncProbe.Cli.Sessions;

/// <summary>Builds a request's absolute URL: variables, base, then the replacements that the options ask for.</summary>
internal static class UrlBuilder
{
    public static (Uri? Url, string? Problem) Build(string url, SessionOptions options, string? baseUrl, SessionVariables variables)
    {
        var text = variables.Expand(url).Trim();
        var site = baseUrl ?? (string.IsNullOrWhiteSpace(options.SiteBaseUrl) ? null : variables.Expand(options.SiteBaseUrl));
        if (baseUrl is not null && Uri.TryCreate(text, UriKind.Absolute, out var absolute)
            && absolute.Scheme.StartsWith("http", StringComparison.Ordinal))
        {
            // A base from the command line replaces the server of absolute URLs too, so that one session works with any server.
            text = absolute.PathAndQuery;
        }

        if (!text.StartsWith("http", StringComparison.Ordinal))
        {
            if (site is null)
            {
                return (null, $"\"{SafeText.From(url)}\" is relative and the session has no SiteBaseUrl: set it, or use --base-url.");
            }

            text = site.TrimEnd('/') + "/" + text.TrimStart('/');
        }

        text = ReplaceDomain(text, options.ReplaceDomain);
        if (!Uri.TryCreate(text, UriKind.Absolute, out var result) || result.Scheme is not ("http" or "https"))
        {
            var hint = Uri.TryCreate(text, UriKind.Absolute, out _)
                ? "only http and https can be sent"
                : "what begins with \"http\" is taken as absolute; begin a relative URL with /";
            return (null, $"\"{SafeText.From(text)}\" is not a URL that can be sent: {hint}.");
        }

        return (QueryPairs.Set(result, options.ReplaceQueryStringValuePairs), null);
    }

    private static string ReplaceDomain(string url, string? domain)
    {
        var start = url.IndexOf("://", StringComparison.Ordinal) + 3;
        if (string.IsNullOrWhiteSpace(domain) || start < 3)
        {
            return url;
        }

        var end = url.IndexOf('/', start);
        return url[..start] + domain.Trim() + (end < 0 ? "" : url[end..]);
    }
}
