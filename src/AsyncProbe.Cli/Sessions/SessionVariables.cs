using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Replaces <c>{{name}}</c> by session variables and <c>{{%NAME%}}</c> by the environment's.</summary>
internal sealed partial class SessionVariables
{
    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);

    public SessionVariables(IEnumerable<KeyValuePair<string, string>> values)
    {
        foreach (var (name, value) in values)
        {
            _values[name.Trim().TrimStart('@')] = Environment(value);
        }
    }

    /// <summary>One pass: a value that itself looks like a variable is not expanded again, so no loop is possible.</summary>
    public string Expand(string text) => text.Contains("{{", StringComparison.Ordinal)
        ? Variable().Replace(text, match => Value(match.Groups[1].Value) ?? match.Value)
        : text;

    public IEnumerable<string> UnknownIn(IEnumerable<string> texts) => texts
        .SelectMany(text => Variable().Matches(text))
        .Select(match => match.Groups[1].Value)
        .Where(name => Value(name) is null)
        .Distinct(StringComparer.OrdinalIgnoreCase);

    private string? Value(string name) => name.StartsWith('%')
        ? System.Environment.GetEnvironmentVariable(name.Trim('%'))
        : _values.GetValueOrDefault(name.TrimStart('@'));

    private static string Environment(string value) =>
        EnvironmentVariable().Replace(value, match => System.Environment.GetEnvironmentVariable(match.Groups[1].Value) ?? match.Value);

    [GeneratedRegex("\\{\\{\\s*(@?[\\w.-]{1,100}|%[\\w]{1,100}%)\\s*\\}\\}", RegexOptions.CultureInvariant)]
    private static partial Regex Variable();

    [GeneratedRegex("%(\\w{1,100})%", RegexOptions.CultureInvariant)]
    private static partial Regex EnvironmentVariable();
}
