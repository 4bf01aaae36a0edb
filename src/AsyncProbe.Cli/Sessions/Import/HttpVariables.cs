using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>The variables of a <c>.http</c> file read so far; a later definition applies from its line on.</summary>
internal sealed partial class HttpVariables
{
    private readonly Dictionary<string, string> _values;
    private readonly SessionDiagnostics _diagnostics;
    private long _length;

    public HttpVariables(IEnumerable<KeyValuePair<string, string>> environment, SessionDiagnostics diagnostics)
    {
        _values = new(environment, StringComparer.Ordinal);
        _diagnostics = diagnostics;
    }

    /// <summary>Reads <c>@name = value</c>; the value may use variables defined earlier.</summary>
    public void Define(string line, int number)
    {
        var equals = line.IndexOf('=', StringComparison.Ordinal);
        var name = equals < 0 ? "" : line[1..equals].Trim();
        if (!Name().IsMatch(name))
        {
            _diagnostics.Add(new(Severity.Warning, number, "This is not a variable: write @name = value."));
            return;
        }

        _values[name] = Expand(line[(equals + 1)..].Trim(), number);
    }

    /// <summary>
    /// Makes a single pass, so it can't loop. A variable without a value stays as it is, and the session's check reports it. Because a
    /// value may use other variables many times, a few lines could fill the memory. A file whose values become too long keeps the rest of
    /// its variables as they are.
    /// </summary>
    public string Expand(string text, int line) => text.Contains("{{", StringComparison.Ordinal)
        ? Use().Replace(
            text,
            match => Value(match.Groups[1].Value.Trim(), line) is { } value && TryCount(value, line) ? value : match.Value)
        : text;

    /// <summary>The text without its variables.</summary>
    public static string Remove(string text) => Use().Replace(text, "");

    // False once all values together are too long.
    private bool TryCount(string value, int line)
    {
        if (_length > SessionLimits.LengthOfValues)
        {
            return false;
        }

        _length += value.Length;
        if (_length <= SessionLimits.LengthOfValues)
        {
            return true;
        }

        _diagnostics.Add(
            new(
                Severity.Error, line,
                $"Up to here, the values of the file's variables have more than {SessionLimits.LengthOfValues:N0} characters in all, each "
                    + "counted wherever it is used. Use shorter values, or split the file."));
        return false;
    }

    private string? Value(string name, int line)
    {
        if (_values.TryGetValue(name, out var value))
        {
            return value;
        }

        if (name.StartsWith("$processEnv ", StringComparison.Ordinal))
        {
            // Rejected without --allow-env, as everywhere.
            return $"{{{{%{name[12..].Trim()}%}}}}";
        }

        if (name.StartsWith('$'))
        {
            Warn($"{{{{{SafeText.From(name)}}}}} has a new value for each request elsewhere; here it is sent as it is written.");
        }
        else if (name.Contains(".response.", StringComparison.Ordinal) || name.Contains(".request.", StringComparison.Ordinal))
        {
            Warn(
                $"{{{{{SafeText.From(name)}}}}} is taken from another request elsewhere; here it is sent as it is written. A .websurge "
                    + "session can capture a token.");
        }

        return null;

        void Warn(string message) => _diagnostics.Add(new(Severity.Warning, line, message));
    }

    [GeneratedRegex(@"^[\w.-]{1,100}$", RegexOptions.CultureInvariant)]
    private static partial Regex Name();

    [GeneratedRegex(@"\{\{([^{}\r\n]{1,300})\}\}", RegexOptions.CultureInvariant)]
    private static partial Regex Use();
}
