namespace AsyncProbe.Cli.Sessions;

/// <summary>Reads <c>VERB URL HTTP/x</c>: the URL may contain blanks, and the version is ignored.</summary>
internal static class RequestLine
{
    public static (string Verb, string Url) Read(string line, int number, SessionDiagnostics diagnostics)
    {
        var blank = line.IndexOf(' ', StringComparison.Ordinal);
        var verb = blank < 0 ? line : line[..blank];
        var rest = blank < 0 ? "" : line[blank..];
        var end = rest.IndexOf(" HTTP/", StringComparison.OrdinalIgnoreCase);
        var url = end > 0 ? rest[1..end] : "";
        if (url.Length == 0)
        {
            diagnostics.Add(new(Severity.Error, number,
                $"The request line \"{SafeText.Short(line)}\" has no URL: write VERB URL HTTP/1.1, the version included."));
        }
        else if (verb.Length == 0 || verb.Any(c => !char.IsAsciiLetter(c) && c is not '-' and not '_'))
        {
            diagnostics.Add(new(Severity.Error, number, $"\"{SafeText.Short(verb)}\" is not an HTTP verb."));
        }
        else if (verb.Any(char.IsAsciiLetterLower))
        {
            // .NET sends the verbs that it knows in upper case.
            var how = HttpMethod.Parse(verb).Method == verb ? "is sent as typed" : "is sent in upper case";
            diagnostics.Add(new(Severity.Warning, number, $"The verb {verb} {how}; servers expect {verb.ToUpperInvariant()}."));
        }

        if (end >= 0 && rest[end..].TrimEnd().EndsWith("/2.0", StringComparison.Ordinal))
        {
            diagnostics.Add(
                new(Severity.Note, number, "HTTP/2.0 on the request line is only a label; use --http2 or the option HttpProtocolVersion."));
        }

        return (verb, url);
    }
}
