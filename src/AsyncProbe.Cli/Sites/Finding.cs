using AsyncProbe.Cli.Joining;

namespace AsyncProbe.Cli.Sites;

/// <summary>A line that blocked, for a tool that knows the repository but not the servers.</summary>
internal sealed record Finding
{
    public required KnownSite Site { get; init; }

    public required WaitRule Rule { get; init; }

    /// <summary>The path from the repository's root on; the server's name for it if the file isn't found in the repository.</summary>
    public required string Path { get; init; }

    public required int Line { get; init; }

    /// <summary>Stays the same when an edit moves the line.</summary>
    public required string Fingerprint { get; init; }

    /// <summary>Null without a baseline.</summary>
    public bool? IsNew { get; init; }

    /// <summary>What happened there, and what to do.</summary>
    public required string Sentence { get; init; }
}
