using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Sums over an endpoint's warm requests, that is, without the first few.</summary>
/// <param name="Requests">How many.</param>
/// <param name="Working">How many worked for a millisecond or more.</param>
/// <param name="Blocking">How many were blocked for a millisecond or more.</param>
/// <param name="Unallowed">How many of those were blocked that long where blocking isn't allowed.</param>
/// <param name="UnallowedSquares">
/// The sum of the squares of these requests' blocked times where blocking isn't allowed, in ms²: it distinguishes one long request from
/// many short ones.
/// </param>
/// <param name="Away">How many spent a millisecond or more without holding a thread.</param>
/// <param name="Segments">Their segments.</param>
/// <param name="Timed">How many have a duration that counts.</param>
/// <param name="Duration">The sum of those durations.</param>
/// <param name="Split">Their held time.</param>
/// <param name="Allowed">The part of the blocked time that is allowed.</param>
/// <param name="Provider">The part inside a database provider that is synchronous inside, as far as EF Core reported it.</param>
/// <param name="ProviderRetries">The part of that spent retrying a locked database.</param>
internal readonly record struct WarmSum(
    long Requests, long Working, long Blocking, long Unallowed, double UnallowedSquares, long Away, long Segments, long Timed,
    Duration Duration, HeldSplit Split, Duration Allowed, Duration Provider = default, Duration ProviderRetries = default)
{
    /// <summary>The mean request; all zero when there was none.</summary>
    public HeldSplit Mean => Requests <= 0 ? default : Split / Requests;

    /// <summary>The mean duration of a request; null if none was timed.</summary>
    public Duration? MeanDuration => Timed <= 0 ? null : Duration / Timed;

    /// <summary>The allowed part of the mean request's blocked time.</summary>
    public Duration MeanAllowed => Requests <= 0 ? Duration.Zero : Duration.Clamp(Allowed / Requests, Duration.Zero, Mean.Blocked.OrZero());

    /// <summary>The mean number of times a request left its thread and came back.</summary>
    public double Suspensions => Requests <= 0 ? 0 : Math.Max(0, (double)(Segments - Requests) / Requests);

    public static WarmSum From(EndpointCell all, EndpointCell cold) => new(
        // A cold request is added to the cold ones just before it is added to the total.
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
