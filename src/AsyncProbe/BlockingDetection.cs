namespace AsyncProbe;

/// <summary>
/// Which requests carry the wait hook. The hook names the call sites that block. Held time is measured in every mode. In every mode few
/// requests carry the hook at a time: two of an endpoint, and in the process half of the pool's minimum.
/// </summary>
public enum BlockingDetection
{
    /// <summary>No request: held time is measured, and no call site is named.</summary>
    Off,

    /// <summary>
    /// Requests of endpoints that were seen to block, until the call sites explain the blocked time, and then a few a minute. An endpoint
    /// that never blocks costs nothing.
    /// </summary>
    WhenBlocking,

    /// <summary>
    /// Every request that finds a place among those few. Each await that suspends such a request takes one hop over the pool.
    /// </summary>
    Always,
}
