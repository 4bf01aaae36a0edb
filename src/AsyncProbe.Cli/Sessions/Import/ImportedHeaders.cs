namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>The headers of one imported request, in order, without any that cannot be sent.</summary>
internal sealed class ImportedHeaders(Action<Severity, string> say)
{
    private static readonly HashSet<string> s_neverSent = new(StringComparer.OrdinalIgnoreCase)
    {
        "Date", "Expect", "If-Modified-Since", "Proxy-Connection", "Transfer-Encoding",
    };

    private readonly List<SessionHeader> _headers = [];

    public IReadOnlyList<SessionHeader> All => _headers;

    public bool Has(string name) => _headers.Exists(header => header.Is(name));

    public void Remove(string name) => _headers.RemoveAll(header => header.Is(name));

    public void Set(string name, string value)
    {
        Remove(name);
        Add(name, value);
    }

    public void AddIfMissing(string name, string value)
    {
        if (!Has(name))
        {
            Add(name, value);
        }
    }

    public void Add(string name, string value)
    {
        name = name.Trim();
        var header = new SessionHeader(name, value.Trim());
        if (!header.IsValid)
        {
            say(
                Severity.Warning,
                $"The header \"{SafeText.From(name)}\" has a name or a value that no header can have, so it is left out.");
        }
        else if (name.StartsWith("websurge-", StringComparison.OrdinalIgnoreCase))
        {
            say(Severity.Warning, $"The header {name} would speak to the runner, so it is left out.");
        }
        else if (name.Equals("Host", StringComparison.OrdinalIgnoreCase))
        {
            say(Severity.Note, "The Host header follows from the URL, so this one is left out.");
        }
        else if (s_neverSent.Contains(name))
        {
            say(Severity.Note, $"The header {name} is never sent by the runner.");
            _headers.Add(header);
        }
        else if (!name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase))
        {
            _headers.Add(header);
        }
    }
}
