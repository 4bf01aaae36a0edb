using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Replaces <c>{{name}}</c> with session variables, and <c>{{%NAME%}}</c> with environment variables where that is allowed.
/// </summary>
internal sealed partial class SessionVariables
{
    private const string Name = @"\s*(@?[\w.-]{1,100}|%\w{1,100}%)\s*";

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _allowed;

    /// <param name="values">The session's own variables.</param>
    /// <param name="allowedEnvironment">The environment variables that may be sent; others are not even read.</param>
    public SessionVariables(IEnumerable<KeyValuePair<string, string>> values, IEnumerable<string> allowedEnvironment)
    {
        _allowed = new(allowedEnvironment, EnvironmentNames.Comparer);
        foreach (var (name, value) in values)
        {
            _values[name.Trim().TrimStart('@')] = InnerVariable()
                .Replace(value, match => FromEnvironment(match.Groups[1].Value) ?? match.Value);
        }
    }

    /// <summary>Makes a single pass: a value that looks like a variable is not expanded again, so it can't loop.</summary>
    public string Expand(string text) => text.Contains("{{", StringComparison.Ordinal)
        ? Variable().Replace(text, match => Value(match.Groups[1].Value) ?? match.Value)
        : text;

    /// <summary>
    /// Excludes environment variables without checking whether they have a value, and names with a $, which other tools reserve for values
    /// that they compute.
    /// </summary>
    public IEnumerable<string> UnknownIn(IEnumerable<string> texts) => texts
        .SelectMany(text => Matches(AnyName(), text))
        .Where(match => match.Groups[2].Success || (!match.Groups[1].Value.StartsWith('%') && Value(match.Groups[1].Value) is null))
        .Select(match => match.Groups[2].Success ? match.Groups[2].Value.Trim() : match.Groups[1].Value)
        .Distinct(StringComparer.OrdinalIgnoreCase);

    /// <summary>Finds every variable in the text: its position, and its name without an @.</summary>
    public static IEnumerable<(int Index, int Length, string Name)> FindIn(string text) =>
        Matches(Variable(), text).Select(match => (match.Index, match.Length, match.Groups[1].Value.TrimStart('@')));

    /// <summary>The names in <c>{{%NAME%}}</c>.</summary>
    public static IEnumerable<string> EnvironmentIn(string text) =>
        Matches(Variable(), text).Select(match => match.Groups[1].Value).Where(name => name.StartsWith('%')).Select(name => name.Trim('%'));

    /// <summary>The names in <c>%NAME%</c>, the form used in a variable's value.</summary>
    public static IEnumerable<string> InnerEnvironmentIn(string value) =>
        Matches(InnerVariable(), value).Select(match => match.Groups[1].Value);

    /// <summary>Null when the variable has no value.</summary>
    public string? Value(string name) =>
        name.StartsWith('%') ? FromEnvironment(name.Trim('%')) : _values.GetValueOrDefault(name.TrimStart('@'));

    /// <summary>Finds one match at a time: the regular expression's own list keeps every match, and a text may contain millions.</summary>
    private static IEnumerable<Match> Matches(Regex regex, string text)
    {
        for (var match = regex.Match(text); match.Success; match = match.NextMatch())
        {
            yield return match;
        }
    }

    private string? FromEnvironment(string name) => _allowed.Contains(name) ? Environment.GetEnvironmentVariable(name) : null;

    [GeneratedRegex(@"\{\{" + Name + @"\}\}", RegexOptions.CultureInvariant)]
    private static partial Regex Variable();

    /// <summary>The second group is a name that no session variable can have, but a variable of another tool.</summary>
    [GeneratedRegex(@"\{\{(?:" + Name + @"|([^{}$\r\n]{1,300}))\}\}", RegexOptions.CultureInvariant)]
    private static partial Regex AnyName();

    [GeneratedRegex("%(\\w{1,100})%", RegexOptions.CultureInvariant)]
    private static partial Regex InnerVariable();
}
