using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Shows a run while it lasts, as a live screen or as plain lines.</summary>
internal interface IRunObserver
{
    /// <summary>Cancelled when the watcher wants the run to end and its figures printed.</summary>
    CancellationToken QuitToken { get; }

    /// <summary>Before the load, when the server's first report takes longer than usual.</summary>
    /// <param name="report">Its URL.</param>
    /// <param name="longest">How long it is waited for.</param>
    void WaitForReport(Uri report, TimeSpan longest);

    void Begin(PreparedSession session, TimeSpan warmup);

    /// <summary>Once a second, from a thread of the run's own.</summary>
    void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server);

    void End();
}
