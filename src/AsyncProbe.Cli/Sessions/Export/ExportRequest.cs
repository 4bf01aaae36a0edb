namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A request as every format writes it: the options are applied, and variables that can stay are kept.</summary>
internal sealed record ExportRequest
{
    public required string Title { get; init; }

    public string? Name { get; init; }

    public required string Verb { get; init; }

    /// <summary>Scheme, host and port.</summary>
    public required string Site { get; init; }

    public required ExportText PathAndQuery { get; init; }

    public IReadOnlyList<ExportHeader> Headers { get; init; } = [];

    /// <summary>The body as UTF-8 text; null when it is in <see cref="Bytes"/>.</summary>
    public ExportText? Body { get; init; }

    /// <summary>A body that can't be expressed as UTF-8 text.</summary>
    public byte[]? Bytes { get; init; }

    /// <summary>Captured and injected values.</summary>
    public IReadOnlyList<TokenRule> Rules { get; init; } = [];

    public bool Inactive { get; init; }

    public bool KeepsItsPlace { get; init; }

    public bool HasBody => Bytes is { Length: > 0 } || Body is { Parts.Count: > 0 };

    public ExportHeader? Header(string name) => Headers.FirstOrDefault(header => header.Is(name));
}
