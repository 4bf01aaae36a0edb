using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What one call site cost one endpoint.</summary>
internal sealed class SiteEndpoint
{
    public long Count;

    public Duration Blocked;

    /// <summary>The part of it that windows saw, and that was shared out by what they saw.</summary>
    public Duration Windowed;

    /// <summary>The part of it that cold requests waited for a lock of the framework's or a library's.</summary>
    public Duration Once;

    /// <summary>What says something of the requests to come.</summary>
    public Duration Lasting => Counter.Read(ref Blocked) - Counter.Read(ref Once);

    /// <summary>The part of it that the wait hook or EF Core timed, wait by wait.</summary>
    public Duration Timed;

    public void Add(int count, Duration duration)
    {
        Interlocked.Add(ref Count, count);
        Counter.Add(ref Blocked, duration);
    }
}
