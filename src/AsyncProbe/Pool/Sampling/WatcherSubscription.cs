using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>A listener's place at the watcher, until it is disposed.</summary>
internal sealed class WatcherSubscription(Watcher watcher, IWatcherListener listener, Faults faults) : IDisposable
{
    /// <summary>CPU time that the watcher's thread has used; null if the platform doesn't report it.</summary>
    public Duration? Cpu => watcher.Cpu;

    /// <summary>Whether the watcher's thread is running.</summary>
    public bool IsRunning => watcher.IsRunning;

    public void Dispose() => watcher.Remove(this);

    public void Notify(Action<IWatcherListener> what)
    {
        try
        {
            what(listener);
        }
        catch (Exception e)
        {
            // A host that is being torn down, or a logger that throws, must not stop the watcher for the others.
            Note(e);
        }
    }

    /// <summary>Counts a failure of the watcher itself.</summary>
    public void Note(Exception exception) => faults.Note(exception);
}
