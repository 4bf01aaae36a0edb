namespace AsyncProbe;

/// <summary>
/// Which requests carry the wait hook. The hook names the call sites that block. Held time is measured in every mode. In every mode only a
/// few requests carry the hook at a time: two per endpoint, and half of the pool's minimum per process.
/// </summary>
public enum BlockingDetection
{
    /// <summary>No request carries the hook. Held time is measured, but no call sites are named.</summary>
    Off,

    /// <summary>
    /// Requests to endpoints that have blocked carry the hook until call sites explain the blocked time; after that, a few a minute do. An
    /// endpoint that never blocks costs nothing.
    /// </summary>
    WhenBlocking,

    /// <summary>
    /// Every request carries the hook, up to the limits above. Each await that suspends such a request takes one hop through the pool.
    /// </summary>
    Always,
}
