namespace AsyncProbe.Cli.Sessions;

internal enum Severity
{
    /// <summary>Worth knowing; nothing is lost.</summary>
    Note,

    /// <summary>Something the author wrote has no effect, or another effect than it looks.</summary>
    Warning,

    /// <summary>The request cannot be sent, so a run is refused.</summary>
    Error,
}
