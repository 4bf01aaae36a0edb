namespace AsyncProbe.Cli.Sessions;

/// <summary>One request block of a session file.</summary>
internal sealed record SessionRequest
{
    public required string Verb { get; init; }

    /// <summary>As typed: relative to the site's base, or absolute, with variables still in it.</summary>
    public required string Url { get; init; }

    /// <summary>
    /// All headers but those with a property of their own here, and but Host and Content-Length, which follow from the rest.
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

    /// <summary>Where the request stands in a JSON document that it was imported from.</summary>
    public string? JsonPath { get; init; }

    /// <summary>What results are grouped by and how the request is called in every report: safe to print.</summary>
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
