namespace AsyncProbe;

/// <summary>
/// Which requests carry the wait hook, which names the call sites that block. Held time is accounted in every mode, and in every mode few
/// requests carry the hook at a time: two of an endpoint, and half of the pool's minimum in the process.
/// </summary>
public enum BlockingDetection
{
    /// <summary>None: accounting only.</summary>
    Off,

    /// <summary>
    /// Requests of endpoints that accounting has seen blocking, until their call sites explain the blocked time, then a few a minute.
    /// A clean endpoint never pays.
    /// </summary>
    WhenBlocking,

    /// <summary>Every request that finds a place among those few. Costs a pool hop for each suspended await; the default in Development.</summary>
    Always,
}
