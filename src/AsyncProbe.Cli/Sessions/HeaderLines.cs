namespace AsyncProbe.Cli.Sessions;

/// <summary>Collects a block's header lines and extracts the request's own properties from them.</summary>
internal sealed class HeaderLines(SessionDiagnostics diagnostics)
{
    private readonly List<SessionHeader> _headers = [];
    private string? _name;
    private bool _inactive;
    private bool _sortNoRandomize;
    private bool _isFull;

    public void Add(string line, int number)
    {
        var colon = line.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0 || colon == line.Length - 1)
        {
            diagnostics.Add(new(Severity.Warning, number, Ignored(line, colon)));
            return;
        }

        var header = new SessionHeader(line[..colon], line[(colon + 1)..].Trim());
        if (header.Is("Websurge-Request-Name"))
        {
            _name = header.Value;
        }
        else if (header.Is("Websurge-Request-Inactive"))
        {
            _inactive = true;
            WarnAboutFalse(header, number, "the request is inactive");
        }
        else if (header.Is("Websurge-Request-SortNoRandomize"))
        {
            _sortNoRandomize = true;
            WarnAboutFalse(header, number, "the request keeps its place");
        }
        else if (!header.Is("Host") && !header.Is("Content-Length"))
        {
            Keep(header, number);
        }
    }

    public SessionRequest Complete(SessionRequest request) =>
        request with { Headers = _headers, Name = _name, Inactive = _inactive, SortNoRandomize = _sortNoRandomize };

    private void Keep(SessionHeader header, int number)
    {
        if (_headers.Count >= SessionLimits.Headers)
        {
            if (!_isFull)
            {
                diagnostics.Add(new(Severity.Error, number, $"The request has more than {SessionLimits.Headers} headers."));
            }

            _isFull = true;
            return;
        }

        _headers.Add(header);
        if (header.IsForTheRunner && TokenRule.Parse(header) is null)
        {
            diagnostics.Add(
                new(Severity.Warning, number, $"{header.Name} is unknown: it is kept in the file, is not sent, and has no effect."));
        }
        else if (header.Name.Any(char.IsWhiteSpace))
        {
            diagnostics.Add(
                new(
                    Severity.Warning, number,
                    $"The header name \"{header.Name}\" holds blanks; WebSurge keeps them. Blanks at its ends are not sent."));
        }
    }

    private void WarnAboutFalse(SessionHeader header, int number, string effect)
    {
        if (header.Value is "0" || header.Value.Equals("false", StringComparison.OrdinalIgnoreCase))
        {
            diagnostics.Add(new(Severity.Warning, number,
                $"{header.Name}: {header.Value} still means yes ({effect}), because the header's presence alone decides; remove the "
                    + "line."));
        }
    }

    private static string Ignored(string line, int colon)
    {
        if (string.IsNullOrWhiteSpace(line))
        {
            return "A line of blanks does not end the headers; an empty one does. It is ignored.";
        }

        return colon == line.Length - 1
            ? $"The header \"{line}\" has nothing after its colon and is ignored; an empty value needs a blank there."
            : "A header line without a name and a colon is ignored.";
    }
}
