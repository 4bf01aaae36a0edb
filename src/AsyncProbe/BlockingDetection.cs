namespace AsyncProbe;

/// <summary>
/// Which requests carry the wait hook, which names the call sites that block. Held time is measured in every mode. The hook is limited to
/// two requests per endpoint at a time, or one while the pool is not healthy. Per process, it is limited to half of the pool's minimum
/// number of threads, or two if that is more, but always to fewer than the pool's maximum.
/// </summary>
public enum BlockingDetection
{
    /// <summary>No request carries the hook. Held time is measured, but call sites are not named.</summary>
    Off,

    /// <summary>
    /// Requests to endpoints that have blocked carry the hook until call sites explain the blocked time. After that, only a few a minute
    /// do. An endpoint that never blocks costs nothing.
    /// </summary>
    WhenBlocking,

    /// <summary>
    /// Every request carries the hook, within the limits above. Each await that suspends such a request adds one hop through the pool.
    /// </summary>
    Always,
}
