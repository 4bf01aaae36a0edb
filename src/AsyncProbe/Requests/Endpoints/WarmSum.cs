using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Sums over an endpoint's warm requests, the first few left out.</summary>
/// <param name="Requests">How many.</param>
/// <param name="Working">Those that worked for a millisecond or more.</param>
/// <param name="Blocking">Those that were blocked for a millisecond or more.</param>
/// <param name="Unallowed">Those of them that were it where nobody had allowed it.</param>
/// <param name="UnallowedSquares">
/// The squares of what each of these was blocked for there, in ms²: sums tell one long request from many short ones by it.
/// </param>
/// <param name="Away">Those that held no thread for a millisecond or more while they lasted.</param>
/// <param name="Segments">Their segments.</param>
/// <param name="Timed">Those whose duration counts.</param>
/// <param name="Duration">How long these took.</param>
/// <param name="Split">What was held.</param>
/// <param name="Allowed">The part of the blocked time that is allowed.</param>
/// <param name="Provider">The part in a database provider that is synchronous inside, as far as EF Core told of it.</param>
/// <param name="ProviderRetries">The part of that in which a locked database was tried again.</param>
internal readonly record struct WarmSum(
    long Requests, long Working, long Blocking, long Unallowed, double UnallowedSquares, long Away, long Segments, long Timed,
    Duration Duration, HeldSplit Split, Duration Allowed, Duration Provider = default, Duration ProviderRetries = default)
{
    /// <summary>The mean request; all zero when there was none.</summary>
    public HeldSplit Mean => Requests <= 0 ? default : Split / Requests;

    /// <summary>How long a request took; null when none was timed.</summary>
    public Duration? MeanDuration => Timed <= 0 ? null : Duration / Timed;

    /// <summary>The allowed part of the mean request's blocked time.</summary>
    public Duration MeanAllowed => Requests <= 0 ? Duration.Zero : Duration.Clamp(Allowed / Requests, Duration.Zero, Mean.Blocked.OrZero());

    /// <summary>How often a request left its thread and came back, as a mean.</summary>
    public double Suspensions => Requests <= 0 ? 0 : Math.Max(0, (double)(Segments - Requests) / Requests);

    public static WarmSum From(EndpointCell all, EndpointCell cold) => new(
        // A cold request is counted among the cold a moment before it is counted at all.
        Math.Max(0, all.Requests - Volatile.Read(ref cold.Requests)),
        all.Working - cold.Working,
        all.Blocking - cold.Blocking,
        all.Unallowed - cold.Unallowed,
        all.UnallowedSquares - cold.UnallowedSquares,
        all.Away - cold.Away,
        all.Segments - cold.Segments,
        all.Timed - cold.Timed,
        all.Duration - cold.Duration,
        all.Split - cold.Split,
        all.Allowed - cold.Allowed,
        all.Provider - cold.Provider,
        all.ProviderRetries - cold.ProviderRetries);

    public static WarmSum operator -(WarmSum a, WarmSum b) => new(
        a.Requests - b.Requests,
        a.Working - b.Working,
        a.Blocking - b.Blocking,
        a.Unallowed - b.Unallowed,
        a.UnallowedSquares - b.UnallowedSquares,
        a.Away - b.Away,
        a.Segments - b.Segments,
        a.Timed - b.Timed,
        a.Duration - b.Duration,
        a.Split - b.Split,
        a.Allowed - b.Allowed,
        a.Provider - b.Provider,
        a.ProviderRetries - b.ProviderRetries);
}
