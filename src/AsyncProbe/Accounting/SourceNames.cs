namespace AsyncProbe.Accounting;

/// <summary>The activity sources whose activities are operations.</summary>
internal sealed class SourceNames
{
    public const string Own = "AsyncProbe";

    // The source of each HTTP request's activity. Requests are already counted in more detail.
    private const string Hosting = "Microsoft.AspNetCore";

    private readonly HashSet<string> _names;
    private readonly string[] _prefixes;

    /// <param name="patterns">Names; a star at the end matches any rest.</param>
    public SourceNames(IEnumerable<string> patterns)
    {
        var all = patterns.Append(Own).ToList();
        _names = all.Where(p => !p.EndsWith('*')).ToHashSet(StringComparer.OrdinalIgnoreCase);
        _prefixes = [.. all.Where(p => p.EndsWith('*')).Select(p => p[..^1])];
    }

    public bool Match(string source) =>
        source != Hosting
            && (_names.Contains(source) || _prefixes.Any(prefix => source.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)));
}
