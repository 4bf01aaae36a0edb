using AsyncProbe.Clocks;

namespace AsyncProbe.Pool.Sampling;

/// <summary>A host that subscribes to the watcher. Called on the watcher's thread, which survives an exception.</summary>
internal interface IWatcherListener
{
    /// <summary>Called ten times a second.</summary>
    void OnTick(PoolSample sample, LiveSegments live)
    {
    }

    /// <summary>Called once a second, after <see cref="OnTick"/>.</summary>
    void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
    {
    }
}
