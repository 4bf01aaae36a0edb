namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>The options typed for an export; null where the session decides.</summary>
internal sealed record ExportSettings
{
    public static ExportSettings Default { get; } = new();

    public int? Threads { get; init; }

    public int? Seconds { get; init; }

    public int? DelayMs { get; init; }

    /// <summary>The server to send to instead of the session's.</summary>
    public string? BaseUrl { get; init; }

    /// <summary>Whether to write tokens, cookies and passwords; otherwise they become variables without a value.</summary>
    public bool WithSecrets { get; init; }
}
