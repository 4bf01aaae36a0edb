using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Reads a session's text: blocks between dash lines, then one options block. Anything that it can't read becomes a diagnostic, never an
/// exception.
/// </summary>
internal sealed partial class SessionReader
{
    private readonly string _text;
    private readonly LineIndex _lines;
    private readonly SessionDiagnostics _diagnostics = [];

    private SessionReader(string text)
    {
        _text = text;
        _lines = new LineIndex(text);
    }

    public static Session Read(string text, string source)
    {
        text = text.StartsWith('\uFEFF') ? text[1..] : text;
        return new SessionReader(text).Read(source);
    }

    private Session Read(string source)
    {
        if (_text.Contains('\uFFFD', StringComparison.Ordinal))
        {
            var line = _lines.LineAt(_text.IndexOf('\uFFFD', StringComparison.Ordinal));
            _diagnostics.Add(new(Severity.Warning, line, "The file is not valid UTF-8 here; save it as UTF-8."));
        }

        var options = OptionsBlock.Read(_text, _lines, _diagnostics, out var requestsEnd);
        var requests = ReadRequests(requestsEnd);
        SeparatorCheck.Run(_text.AsSpan(0, requestsEnd), _lines, _diagnostics);
        return SessionCheck.Complete(new() { Source = source, Requests = requests, WrittenOptions = options }, _diagnostics);
    }

    private List<SessionRequest> ReadRequests(int end)
    {
        var requests = new List<SessionRequest>();
        var start = 0;
        foreach (var separator in Separator().EnumerateMatches(_text.AsSpan(0, end)))
        {
            Add(start, separator.Index);
            start = separator.Index + separator.Length;
            if (requests.Count > SessionLimits.Requests)
            {
                _diagnostics.Add(new(Severity.Error, _lines.LineAt(start), SessionLimits.TooManyRequests));
                return requests;
            }
        }

        Add(start, end);
        return requests;

        void Add(int from, int to)
        {
            // Blocks are trimmed, so the first line is the first that isn't blank.
            while (from < to && char.IsWhiteSpace(_text[from]))
            {
                from++;
            }

            if (from < to && RequestBlock.Read(_text.AsSpan(from, to - from).TrimEnd("\r\n"), _lines.LineAt(from), _diagnostics) is { } request)
            {
                requests.Add(request);
            }
        }
    }

    /// <summary>The single definition of a separator: a line with only 5 to 100 dashes between two line breaks, anywhere.</summary>
    [GeneratedRegex("\\r?\\n-{5,100}\\r?\\n", RegexOptions.CultureInvariant)]
    public static partial Regex Separator();
}
