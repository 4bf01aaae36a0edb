using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>An endpoint's last busy minutes: what its verdict and its prediction go by.</summary>
/// <param name="Sum">The warm requests of that time.</param>
/// <param name="MostThreads">The most threads that the pool has had while they came; 0 when nobody has looked.</param>
/// <param name="QueueDelay">How long a work item waited for a thread then, as a mean over the requests.</param>
/// <param name="HasChanged">Whether only the last seconds count, because the endpoint did something else before.</param>
internal readonly record struct EndpointWindow(WarmSum Sum, int MostThreads, Duration QueueDelay, bool HasChanged)
{
    /// <summary>The requests of the interval with the shortest queue delay; without requests when there is none.</summary>
    public WarmSum Calm { get; init; }

    /// <summary>How long a work item waited for a thread in it.</summary>
    public Duration CalmQueueDelay { get; init; }
}
