namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>What was typed about a document to import.</summary>
internal sealed record ImportSettings
{
    public static ImportSettings Default { get; } = new();

    /// <summary>Of a .http file, a named set of values; of a Postman collection, the environment's file.</summary>
    public string? Environment { get; init; }

    /// <summary>Of an OpenAPI document, which operations to take beside its GETs: ids, or verb and path.</summary>
    public IReadOnlyList<string> Operations { get; init; } = [];
}
