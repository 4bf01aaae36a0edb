using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>The variables of a collection: the environment's take precedence over its own.</summary>
internal sealed partial class PostmanVariables(IReadOnlyDictionary<string, string> environment, Action<Severity, string, string> say)
{
    /// <summary>A value may contain variables; Postman resolves them to this depth.</summary>
    private const int DeepestValue = 20;

    /// <summary>A few values that contain each other would grow without limit.</summary>
    private const int MostGrowth = 256 * 1024;

    private IReadOnlyDictionary<string, string> _own = new Dictionary<string, string>();

    /// <summary>Sets the collection's own variables.</summary>
    public void Add(IReadOnlyDictionary<string, string> values) => _own = values;

    /// <summary>A variable without a value stays as it is, and the session's check reports it.</summary>
    public string Expand(string text, string path)
    {
        var longest = text.Length + MostGrowth;
        for (var depth = 0; depth < DeepestValue && text.Contains("{{", StringComparison.Ordinal); depth++)
        {
            var expanded = Use().Replace(text, match => Find(match.Groups[1].Value) ?? match.Value);
            if (expanded == text)
            {
                break;
            }

            if (expanded.Length > longest)
            {
                say(Severity.Warning, path, "The variables here grow beyond all bounds, so they are not all replaced.");
                break;
            }

            text = expanded;
        }

        foreach (var name in Use().Matches(text).Select(match => match.Groups[1].Value).Where(name => name.StartsWith('$')).Distinct())
        {
            say(
                Severity.Warning, path,
                $"{{{{{SafeText.From(name)}}}}} has a new value for each request in Postman; here it is sent as it is written.");
        }

        return text;
    }

    private string? Find(string name) => environment.TryGetValue(name, out var value) || _own.TryGetValue(name, out value) ? value : null;

    [GeneratedRegex(@"\{\{([^{}\r\n]{1,300})\}\}", RegexOptions.CultureInvariant)]
    private static partial Regex Use();
}
