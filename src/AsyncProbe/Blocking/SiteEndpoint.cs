namespace AsyncProbe.Blocking;

/// <summary>What one call site cost one endpoint.</summary>
internal sealed class SiteEndpoint
{
    public long Count;

    /// <summary>Nanoseconds.</summary>
    public long Blocked;

    public void Add(long duration)
    {
        Interlocked.Increment(ref Count);
        Interlocked.Add(ref Blocked, duration);
    }
}
