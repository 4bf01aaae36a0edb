namespace AsyncProbe.Cli.Sessions;

/// <summary>One request block of a session file.</summary>
internal sealed record SessionRequest
{
    public required string Verb { get; init; }

    /// <summary>As typed: relative to the site's base or absolute, and with variables.</summary>
    public required string Url { get; init; }

    /// <summary>
    /// All headers except those with their own property here, and except Host and Content-Length, which follow from the rest.
    /// </summary>
    public IReadOnlyList<SessionHeader> Headers { get; init; } = [];

    /// <summary>Line breaks are CRLF; a body that starts with <c>b64_</c> stands for the bytes that its base64 decodes to.</summary>
    public string Body { get; init; } = "";

    public string? Name { get; init; }

    public bool Inactive { get; init; }

    /// <summary>Runs first, in file order, when the session is randomized.</summary>
    public bool SortNoRandomize { get; init; }

    /// <summary>The request line's number in the file, 1-based; 0 when the request was not read from a file.</summary>
    public int Line { get; init; }

    /// <summary>The request's path in the JSON document that it was imported from.</summary>
    public string? JsonPath { get; init; }

    /// <summary>The name that results are grouped by and that every report shows; safe to print.</summary>
    public string Title => SafeText.From(Name is { Length: > 0 } ? Name : $"{Verb} {Url}");

    public string? Header(string name)
    {
        foreach (var header in Headers)
        {
            if (header.Is(name))
            {
                return header.Value;
            }
        }

        return null;
    }
}
