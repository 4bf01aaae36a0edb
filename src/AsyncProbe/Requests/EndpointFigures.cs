namespace AsyncProbe.Requests;

/// <summary>What was counted for an endpoint, read at one moment.</summary>
/// <param name="Totals">The endpoint.</param>
/// <param name="InFlight">Requests that are under way.</param>
/// <param name="Sum">All counted requests.</param>
/// <param name="Cold">The first few of them, which carry the JIT's time.</param>
/// <param name="Durations">How long requests took.</param>
internal sealed record EndpointFigures(EndpointTotals Totals, int InFlight, EndpointCell Sum, EndpointCell Cold, DurationHistogram Durations)
{
    public bool IsEmpty => Sum.Requests == 0 && InFlight == 0 && Sum.Held == 0 && Sum.AfterResponse == 0;

    /// <summary>Warm requests: what a prediction may build on. A cold one is counted among the cold a moment before it is counted at all.</summary>
    public long WarmRequests => Math.Max(0, Sum.Requests - Cold.Requests);

    /// <summary>Means of the warm requests, in nanoseconds; all zero when there was none.</summary>
    public HeldSplit WarmMean()
    {
        var n = WarmRequests;
        return n <= 0
            ? default
            : new HeldSplit(
                (Sum.Held - Cold.Held) / n,
                (Sum.Cpu - Cold.Cpu) / n,
                (Sum.Waiting - Cold.Waiting) / n,
                (Sum.Gc - Cold.Gc) / n,
                (Sum.Blocked - Cold.Blocked) / n);
    }
}
