using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>The values that a document marks as secret, by their place or by their name.</summary>
internal sealed partial class ImportedSecrets
{
    /// <summary>Shorter values would also be found inside other words.</summary>
    private const int ShortestValue = 4;

    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);

    /// <summary>Maps each value to its name.</summary>
    public IReadOnlyDictionary<string, string> All => _names;

    public void Add(string name, string? value)
    {
        if (value is { Length: >= ShortestValue } && !value.Contains("{{", StringComparison.Ordinal))
        {
            _names.TryAdd(value, NotName().Replace(name, "_") is { Length: > 0 and <= 100 } safe ? safe : "secret");
        }
    }

    public void AddIfNamedSo(string name, string? value)
    {
        if (Secrets.Mask($"?{name}=12345678").Contains("***", StringComparison.Ordinal))
        {
            Add(name, value);
        }
    }

    [GeneratedRegex(@"[^\w.-]+")]
    private static partial Regex NotName();
}
