using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Watches a run in progress. It shows nothing; derived classes show a live screen or plain lines.</summary>
internal class RunObserver : IDisposable
{
    /// <summary>Cancelled when the user wants to end the run and print its figures.</summary>
    public virtual CancellationToken QuitToken => CancellationToken.None;

    /// <summary>Called before the load, when the server's first report takes longer than usual.</summary>
    /// <param name="report">Its URL.</param>
    /// <param name="longest">The longest time to wait for it.</param>
    public virtual void WaitForReport(Uri report, TimeSpan longest)
    {
    }

    public virtual void Begin(PreparedSession session, TimeSpan warmup)
    {
    }

    /// <summary>Called once a second, from a thread that belongs to the run.</summary>
    public virtual void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server)
    {
    }

    public virtual void End()
    {
    }

    public virtual void Dispose()
    {
    }
}
