namespace AsyncProbe.Blocking.Sites;

/// <summary>What one call site cost one endpoint.</summary>
internal sealed class SiteEndpoint
{
    public long Count;

    /// <summary>Nanoseconds.</summary>
    public long Blocked;

    public void Add(int count, long duration)
    {
        Interlocked.Add(ref Count, count);
        Interlocked.Add(ref Blocked, duration);
    }
}
