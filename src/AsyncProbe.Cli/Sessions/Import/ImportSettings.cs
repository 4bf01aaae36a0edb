namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>The options typed for a document to import.</summary>
internal sealed record ImportSettings
{
    /// <summary>For a .http file, the name of a set of values; for a Postman collection, the file with the environment.</summary>
    public string? Environment { get; init; }

    /// <summary>For an OpenAPI document, the operations to import in addition to its GETs: ids, or verb and path.</summary>
    public IReadOnlyList<string> Operations { get; init; } = [];
}
