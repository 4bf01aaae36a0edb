namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Reads a <c>.http</c> file in Visual Studio's form: requests between <c>###</c> lines, <c>@variables</c>, <c>{{…}}</c>, <c># @name</c>.
/// Anything that it doesn't understand becomes a diagnostic with its line; nothing is ignored silently.
/// </summary>
internal sealed class HttpFileReader
{
    private static readonly HashSet<string> s_verbs = ["OPTIONS", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"];

    private readonly SessionDiagnostics _diagnostics = [];
    private readonly List<SessionRequest> _requests = [];
    private readonly HttpVariables _variables;

    private HttpFileReader(IEnumerable<KeyValuePair<string, string>> environment) =>
        _variables = new HttpVariables(environment, _diagnostics);

    /// <param name="text">The file.</param>
    /// <param name="environment">The values of the chosen environment; the file's own take precedence.</param>
    public static Session Read(string text, string source, IEnumerable<KeyValuePair<string, string>> environment) =>
        new HttpFileReader(environment).Read(text.StartsWith('\uFEFF') ? text[1..] : text, source);

    private Session Read(string text, string source)
    {
        var lines = LineBreaks.ToLf(text).Split('\n');
        for (var start = 0; start < lines.Length;)
        {
            var next = start + 1;
            while (next < lines.Length && !IsSeparator(lines[next]))
            {
                next++;
            }

            ReadBlock(lines, start, next);
            start = next;
            if (_requests.Count > SessionLimits.Requests)
            {
                Add(Severity.Error, start, SessionLimits.TooManyRequests);
                break;
            }
        }

        return SessionCheck.Complete(new() { Source = source, Requests = _requests }, _diagnostics);
    }

    private static bool IsSeparator(string line) => line.StartsWith("###", StringComparison.Ordinal);

    private void ReadBlock(string[] lines, int from, int to)
    {
        string? name = null;
        var at = from;
        if (IsSeparator(lines[at]))
        {
            name = lines[at].TrimStart('#').Trim();
            at++;
        }

        for (; at < to; at++)
        {
            var line = lines[at].Trim();
            if (Comment(line) is { } comment)
            {
                name = Directive(comment, at + 1) ?? name;
            }
            else if (line.StartsWith('@'))
            {
                _variables.Define(line, at + 1);
            }
            else if (line.Length > 0)
            {
                break;
            }
        }

        if (at < to)
        {
            ReadRequest(lines, at, to, string.IsNullOrEmpty(name) ? null : _variables.Expand(name, at + 1));
        }
    }

    /// <summary>The text of a comment; null when the line is not a comment.</summary>
    private static string? Comment(string line) =>
        line.StartsWith('#') ? line[1..].Trim() : line.StartsWith("//", StringComparison.Ordinal) ? line[2..].Trim() : null;

    /// <returns>The name that the comment gives the request; null if it doesn't.</returns>
    private string? Directive(string comment, int line)
    {
        if (!comment.StartsWith('@'))
        {
            return null;
        }

        if (comment.StartsWith("@name ", StringComparison.Ordinal) || comment.StartsWith("@name=", StringComparison.Ordinal))
        {
            return comment[6..].TrimStart(' ', '=').Trim();
        }

        Add(Severity.Warning, line, $"\"{SafeText.Short(comment)}\" is not understood, so it has no effect.");
        return null;
    }

    private void ReadRequest(string[] lines, int at, int to, string? name)
    {
        var first = at + 1;
        var line = lines[at].Trim();
        // A long query may continue on the following lines.
        for (at++; at < to && lines[at].Length > 0 && char.IsWhiteSpace(lines[at][0])
            && lines[at].TrimStart() is ['?' or '&', ..] more; at++)
        {
            line += more.Trim();
        }

        var (verb, url, version) = Split(line);
        if (!s_verbs.Contains(verb) || HttpVariables.Remove(url).Contains(' ', StringComparison.Ordinal))
        {
            Add(Severity.Error, first, $"\"{SafeText.Short(line)}\" is not a request line: write GET https://example.org/ or the like.");
            return;
        }

        if (version is { Length: > 0 } and not ['1', ..])
        {
            Add(Severity.Note, first, $"HTTP/{version} on the request line is only a label; use --http2.");
        }

        var headers = new List<SessionHeader>();
        for (; at < to && lines[at].Trim().Length > 0; at++)
        {
            ReadHeader(lines[at].Trim(), at + 1, headers);
        }

        _requests.Add(new SessionRequest
        {
            Verb = verb,
            Url = _variables.Expand(url, first),
            Headers = headers,
            Body = Body(lines, at + 1, to, verb, headers.Find(header => header.Is("Content-Type"))?.Value ?? "", first),
            Name = name,
            Line = first,
        });
    }

    /// <summary>The verb and the version are optional.</summary>
    private static (string Verb, string Url, string? Version) Split(string line)
    {
        var end = line.LastIndexOf(" HTTP/", StringComparison.OrdinalIgnoreCase);
        var version = end > 0 && line[(end + 6)..].All(c => char.IsAsciiDigit(c) || c == '.') ? line[(end + 6)..] : null;
        var rest = version is null ? line : line[..end].TrimEnd();
        var blank = rest.IndexOf(' ', StringComparison.Ordinal);
        return blank > 0 && rest[..blank].All(char.IsAsciiLetter)
            ? (rest[..blank].ToUpperInvariant(), rest[blank..].Trim(), version)
            : ("GET", rest, version);
    }

    private void ReadHeader(string line, int number, List<SessionHeader> headers)
    {
        if (Comment(line) is not null)
        {
            return;
        }

        var colon = line.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0 || line[..colon].TrimEnd().AsSpan().ContainsAny(' ', '@'))
        {
            Add(Severity.Warning, number, $"\"{SafeText.Short(line)}\" is not a header, so it is left out.");
            return;
        }

        var header = new SessionHeader(line[..colon].Trim(), _variables.Expand(line[(colon + 1)..].Trim(), number));
        if (header.Is("Content-Length"))
        {
            return;
        }

        if (header.Is("Host"))
        {
            Add(Severity.Note, number, "The Host header follows from the URL, so this one is left out.");
            return;
        }

        headers.Add(header);
    }

    private string Body(string[] lines, int from, int to, string verb, string contentType, int requestLine)
    {
        var isMultipart = contentType.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase);
        var isMarkdown = contentType.StartsWith("text/markdown", StringComparison.OrdinalIgnoreCase);
        var body = new List<string>();
        for (var at = from; at < to; at++)
        {
            var line = lines[at];
            // In Markdown, # begins a heading.
            if (Comment(line.Trim()) is not null && !(isMarkdown && line.TrimStart().StartsWith('#')))
            {
                continue;
            }

            if (line.StartsWith("> ", StringComparison.Ordinal) || line.StartsWith(">>", StringComparison.Ordinal)
                || line.StartsWith("< {%", StringComparison.Ordinal))
            {
                Add(
                    Severity.Warning, at + 1,
                    "Scripts, and where to save responses, are not understood: what follows in this request is left out.");
                break;
            }

            // A whole body, or a part of one, can be in a file.
            if (line is ['<', ' ' or '@', ..]
                && (body.TrueForAll(string.IsNullOrWhiteSpace) || (isMultipart && string.IsNullOrWhiteSpace(body[^1]))))
            {
                Add(Severity.Error, at + 1, "The body is in another file, which is not read: paste it here.");
                break;
            }

            body.Add(_variables.Expand(line, at + 1));
        }

        var text = string.Join("\r\n", body).TrimEnd();
        if (verb == "GET" && text.Length > 0)
        {
            Add(Severity.Warning, requestLine, "A GET request's body is not sent, as in WebSurge; use another verb to send one.");
            return "";
        }

        return text;
    }

    private void Add(Severity severity, int line, string message) => _diagnostics.Add(new(severity, line, message));
}
