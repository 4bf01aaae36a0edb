using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>An endpoint's last busy minutes, which its verdict and prediction are based on.</summary>
/// <param name="Sum">The warm requests during that time.</param>
/// <param name="MostThreads">The highest number of pool threads while these requests ran; 0 if the pool was not watched.</param>
/// <param name="QueueDelay">The mean time a work item waited for a thread, weighted by requests.</param>
/// <param name="HasChanged">Whether only the last seconds count, because the endpoint behaved differently before.</param>
internal readonly record struct EndpointWindow(RequestSums Sum, int MostThreads, Duration QueueDelay, bool HasChanged)
{
    /// <summary>The requests of the interval with the shortest queue delay; zero requests if there is none.</summary>
    public RequestSums Calm { get; init; }

    /// <summary>The mean queue delay of that interval.</summary>
    public Duration CalmQueueDelay { get; init; }
}
