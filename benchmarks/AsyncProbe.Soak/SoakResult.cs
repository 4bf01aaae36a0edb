namespace AsyncProbe.Soak;

/// <summary>The result of a soak.</summary>
/// <param name="Length">How long it lasted.</param>
/// <param name="Requests">How many requests were sent, excluding those of open pages.</param>
/// <param name="Compared">How many of them were compared one by one with the report.</param>
/// <param name="States">The server after the first cycle, after half of the cycles, and at the end.</param>
/// <param name="Lost">Requests that were not answered as expected.</param>
/// <param name="Miscounted">Differences between the report's counts and the client's.</param>
internal sealed record SoakResult(
    TimeSpan Length, long Requests, long Compared, IReadOnlyList<ServerState> States, IReadOnlyList<string> Lost,
    IReadOnlyList<string> Miscounted)
{
    // The growth of caches and the pool after the first cycle that is acceptable; a leak per request grows far more.
    private const long MostGrowthOfHeap = 1 << 20;
    private const int MostGrowthOfNumbers = 24;

    private ServerState First => States[0];

    private ServerState Last => States[^1];

    /// <summary>What went wrong with requests; empty when nothing did.</summary>
    public IReadOnlyList<string> Errors =>
    [
        .. Lost.Take(5).Select(l => $"lost: {l}"),
        .. Miscounted.Take(20).Select(m => $"miscounted: {m}"),
        .. Last.Exceptions > 0 ? Last.Samples.Select(s => $"exception: {s}") : [],
    ];

    /// <summary>Why the soak failed; empty when it passed.</summary>
    public IReadOnlyList<string> Faults =>
    [
        .. Errors,
        .. Grown("heap bytes", First.HeapBytes, Last.HeapBytes, MostGrowthOfHeap),
        .. Grown("handles", First.Handles, Last.Handles, MostGrowthOfNumbers),
        .. Grown("threads", First.Threads, Last.Threads, MostGrowthOfNumbers),
        .. Grown("descriptors", First.Descriptors ?? 0, Last.Descriptors ?? 0, MostGrowthOfNumbers),
    ];

    private static IEnumerable<string> Grown(string what, long first, long last, long most) =>
        last - first > most ? [FormattableString.Invariant($"grown: {what} from {first} to {last}")] : [];
}
