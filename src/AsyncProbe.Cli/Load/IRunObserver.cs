using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Shows a run in progress, as a live screen or as plain lines.</summary>
internal interface IRunObserver
{
    /// <summary>Cancelled when the user wants to end the run and print its figures.</summary>
    CancellationToken QuitToken { get; }

    /// <summary>Called before the load, when the server's first report takes longer than usual.</summary>
    /// <param name="report">Its URL.</param>
    /// <param name="longest">The longest time to wait for it.</param>
    void WaitForReport(Uri report, TimeSpan longest);

    void Begin(PreparedSession session, TimeSpan warmup);

    /// <summary>Called once a second, from a thread that belongs to the run.</summary>
    void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server);

    void End();
}
