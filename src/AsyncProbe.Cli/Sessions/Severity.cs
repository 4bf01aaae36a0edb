namespace AsyncProbe.Cli.Sessions;

internal enum Severity
{
    /// <summary>Worth knowing; nothing is lost.</summary>
    Note,

    /// <summary>Something the author wrote has no effect, or a different effect than it seems.</summary>
    Warning,

    /// <summary>The request cannot be sent, so the session isn't run.</summary>
    Error,
}
