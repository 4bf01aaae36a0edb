using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Watches a run and says nothing: the base of those that do.</summary>
internal class RunObserver : IRunObserver, IDisposable
{
    public virtual CancellationToken QuitToken => CancellationToken.None;

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
