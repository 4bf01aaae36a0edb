using AsyncProbe.Clocks;

namespace AsyncProbe.Pool.Sampling;

/// <summary>A host that wants to know what the watcher sees. Called on the watcher's thread.</summary>
internal interface IWatcherListener
{
    /// <summary>Ten times a second.</summary>
    void OnTick(PoolSample sample, LiveSegments live)
    {
    }

    /// <summary>Once a second, after <see cref="OnTick"/>.</summary>
    void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
    {
    }

    /// <summary>One of the other calls threw, or the watcher itself. Must not throw itself.</summary>
    void OnFault(Exception exception);
}
