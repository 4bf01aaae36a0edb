namespace AsyncProbe.Cli.Options;

/// <summary>Suggests what the user probably meant.</summary>
internal static class Suggestion
{
    /// <summary>The candidate most similar to what was typed; null when none is similar enough.</summary>
    public static string? Nearest(string typed, IEnumerable<string> candidates) => candidates
        .Select(candidate => (Candidate: candidate, Distance: Distance(typed.ToUpperInvariant(), candidate.ToUpperInvariant())))
        .Where(found => found.Distance <= Math.Max(1, Math.Min(typed.Length, found.Candidate.Length) / 3))
        .OrderBy(found => found.Distance).Select(found => found.Candidate).FirstOrDefault();

    /// <summary>" Did you mean X?", or nothing.</summary>
    public static string DidYouMean(string typed, IEnumerable<string> candidates) =>
        Nearest(typed, candidates) is { } nearest ? $" Did you mean {nearest}?" : "";

    /// <summary>The URL with its scheme, for what was typed as localhost:5080 or as a whole URL; null if it is neither.</summary>
    public static Uri? Server(string typed) =>
        Uri.TryCreate(Url(typed) ?? typed, UriKind.Absolute, out var url) && url.Scheme is ("http" or "https") ? url : null;

    /// <summary>The intended URL if only the scheme is missing, as in localhost:5080/x; null if the text doesn't look like one.</summary>
    public static string? Url(string typed)
    {
        var host = typed.Split('/')[0];
        var isHost = host.Contains(':', StringComparison.Ordinal)
            ? host.Split(':') is [{ Length: > 0 }, var port] && ushort.TryParse(port, out _)
            : host == "localhost";
        return isHost && Uri.TryCreate("http://" + typed, UriKind.Absolute, out var url) ? url.OriginalString : null;
    }

    /// <summary>The number of letters to insert, remove, replace or swap with their neighbour until both are equal.</summary>
    private static int Distance(string a, string b)
    {
        var costs = new int[a.Length + 1, b.Length + 1];
        for (var i = 0; i <= a.Length; i++)
        {
            for (var j = 0; j <= b.Length; j++)
            {
                costs[i, j] = i == 0 ? j : j == 0 ? i : Math.Min(
                    Math.Min(costs[i - 1, j], costs[i, j - 1]) + 1,
                    costs[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    costs[i, j] = Math.Min(costs[i, j], costs[i - 2, j - 2] + 1);
                }
            }
        }

        return costs[a.Length, b.Length];
    }
}
