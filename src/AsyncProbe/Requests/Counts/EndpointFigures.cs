using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>The counts of an endpoint, read at one moment.</summary>
/// <param name="Totals">The endpoint.</param>
/// <param name="InFlight">Requests in progress.</param>
/// <param name="Sum">All counted requests.</param>
/// <param name="Longest">The longest of their times.</param>
/// <param name="Durations">How long requests took.</param>
/// <param name="Window">The last busy minutes, without the first few requests, which include the JIT's time.</param>
internal sealed record EndpointFigures(
    EndpointTotals Totals,
    int InFlight,
    RequestSums Sum,
    LongestTimes Longest,
    DurationHistogram Durations,
    EndpointWindow Window)
{
    public bool IsEmpty =>
        Sum.Requests == 0 && InFlight == 0 && Sum.Held == Duration.Zero && Sum.Time(Figure.AfterResponse) == Duration.Zero;
}
