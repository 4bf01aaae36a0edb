namespace AsyncProbe.Cli.Sessions;

/// <summary>Sets or adds <c>a=1&amp;b=2</c> on a URL, leaving its other keys as they are.</summary>
internal static class QueryPairs
{
    public static Uri Set(Uri url, string? pairs)
    {
        if (string.IsNullOrWhiteSpace(pairs))
        {
            return url;
        }

        var query = Split(url.Query.TrimStart('?'));
        foreach (var pair in Split(pairs.TrimStart('?')))
        {
            query.RemoveAll(old => Key(old).Equals(Key(pair), StringComparison.OrdinalIgnoreCase));
            query.Add(pair);
        }

        return new UriBuilder(url) { Query = string.Join('&', query) }.Uri;
    }

    private static List<string> Split(string query) => [.. query.Split('&', StringSplitOptions.RemoveEmptyEntries)];

    private static string Key(string pair) => pair.Split('=', 2)[0];
}
