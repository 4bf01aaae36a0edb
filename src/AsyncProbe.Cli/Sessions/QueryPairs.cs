namespace AsyncProbe.Cli.Sessions;

/// <summary>Sets or adds <c>a=1&amp;b=2</c> on a URL, leaving its other keys unchanged.</summary>
internal static class QueryPairs
{
    public static Uri Set(Uri url, string? pairs)
    {
        if (string.IsNullOrWhiteSpace(pairs))
        {
            return url;
        }

        // If two pairs have the same key, the last one counts.
        var set = Split(pairs.TrimStart('?')).AsEnumerable().Reverse().DistinctBy(Key, StringComparer.OrdinalIgnoreCase).Reverse().ToList();
        var keys = set.Select(Key).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var kept = Split(url.Query.TrimStart('?')).Where(pair => !keys.Contains(Key(pair)));
        return new UriBuilder(url) { Query = string.Join('&', kept.Concat(set)) }.Uri;
    }

    private static List<string> Split(string query) => [.. query.Split('&', StringSplitOptions.RemoveEmptyEntries)];

    private static string Key(string pair) => pair.Split('=', 2)[0];
}
