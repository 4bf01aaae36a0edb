using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Shows a run while it lasts, as a live screen or as plain lines.</summary>
internal interface IRunObserver
{
    /// <summary>Cancelled when the watcher wants the run to end and its figures printed.</summary>
    CancellationToken QuitToken { get; }

    void Begin(PreparedSession session, TimeSpan warmup);

    /// <summary>Once a second, from a thread of the run's own.</summary>
    void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server);

    void End();
}
