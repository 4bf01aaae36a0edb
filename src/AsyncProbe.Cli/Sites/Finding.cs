using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Sites;

/// <summary>A line that blocked, as a tool shows it that knows the repository and nothing of servers.</summary>
internal sealed record Finding
{
    public required KnownSite Site { get; init; }

    public required WaitRule Rule { get; init; }

    /// <summary>From the repository's root on; where the file is not found there, as the server names it.</summary>
    public required string Path { get; init; }

    public required int Line { get; init; }

    /// <summary>The same after edits that move the line.</summary>
    public required string Fingerprint { get; init; }

    /// <summary>Null without a baseline.</summary>
    public bool? IsNew { get; init; }

    /// <summary>What happened there, and what to do.</summary>
    public required string Sentence { get; init; }
}
