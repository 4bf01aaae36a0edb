namespace AsyncProbe.Cli.Sessions;

/// <summary>The content of a session file: requests, options, and diagnostics about both.</summary>
internal sealed record Session
{
    /// <summary>The file as the user typed it, or the URL.</summary>
    public required string Source { get; init; }

    public IReadOnlyList<SessionRequest> Requests { get; init; } = [];

    /// <summary>Null when the file has no options block; <see cref="SessionOptions.Default"/> then applies.</summary>
    public SessionOptions? WrittenOptions { get; init; }

    public IReadOnlyList<SessionDiagnostic> Diagnostics { get; init; } = [];

    /// <summary>Whether it was read from another tool's document.</summary>
    public bool Imported { get; init; }

    /// <summary>Values that the imported document marks as secret, each with the name of its placeholder.</summary>
    public IReadOnlyDictionary<string, string> Secrets { get; init; } = new Dictionary<string, string>();

    public SessionOptions Options => WrittenOptions ?? SessionOptions.Default;

    public IEnumerable<SessionRequest> ActiveRequests => Requests.Where(request => !request.Inactive);

    public IEnumerable<SessionDiagnostic> Errors => Diagnostics.Where(diagnostic => diagnostic.Severity == Severity.Error);

    public string Name =>
        SafeText.From(Source.Contains("://", StringComparison.Ordinal) ? Source : Path.GetFileNameWithoutExtension(Source));
}
