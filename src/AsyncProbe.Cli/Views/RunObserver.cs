using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Shows nothing; the base class of the observers that show something.</summary>
internal class RunObserver : IRunObserver, IDisposable
{
    public virtual CancellationToken QuitToken => CancellationToken.None;

    public virtual void WaitForReport(Uri report, TimeSpan longest)
    {
    }

    public virtual void Begin(PreparedSession session, TimeSpan warmup)
    {
    }

    public virtual void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server)
    {
    }

    public virtual void End()
    {
    }

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
    }
}
