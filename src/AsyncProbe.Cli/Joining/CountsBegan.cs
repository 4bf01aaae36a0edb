namespace AsyncProbe.Cli.Joining;

/// <summary>When the counts that the server has at the end of a run began.</summary>
internal enum CountsBegan
{
    /// <summary>Before the run: what the run did is the difference.</summary>
    Earlier,

    /// <summary>When this tool started the server: all of them belong to the run.</summary>
    WithServer,

    /// <summary>During the run, in another process.</summary>
    Restarted,

    /// <summary>During the run, in the same process.</summary>
    Reset,
}
