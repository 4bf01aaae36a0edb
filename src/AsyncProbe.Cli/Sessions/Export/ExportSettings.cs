namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>What was typed for an export; null where the session decides.</summary>
internal sealed record ExportSettings
{
    public static ExportSettings Default { get; } = new();

    public int? Threads { get; init; }

    public int? Seconds { get; init; }

    public int? DelayMs { get; init; }

    /// <summary>The server to send to instead of the session's.</summary>
    public string? BaseUrl { get; init; }

    /// <summary>Whether tokens, cookies and passwords are written; else they are variables without a value.</summary>
    public bool WithSecrets { get; init; }
}
