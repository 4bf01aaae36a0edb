using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>
/// Applies the server's own rules to the run's figures of an endpoint. The server's verdict is about other requests, so its row provides
/// only what the run's figures can't.
/// </summary>
internal static class EndpointCases
{
    /// <param name="side">The run's figures.</param>
    /// <param name="row">The server's row after the run.</param>
    /// <param name="before">The server's row before the run.</param>
    /// <param name="shares">What the blocked time consists of.</param>
    /// <param name="limits">The server's threads and cores.</param>
    public static EndpointCase Create(
        EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before, RunShares shares, CeilingLimits limits)
    {
        var mean = MeanOf(side);
        var parts = PartsOf(mean, shares);
        var segments = RoundedMeans.Between(before?.SegmentsPerRequest, before?.Requests, row.SegmentsPerRequest, row.Requests) ?? 0;
        var duration = RoundedMeans.Between(before?.DurationMeanMs, before?.Requests, row.DurationMeanMs, row.Requests);
        var unallowed = row.BlockedRequests is { } blocked ? (long)(blocked - (before?.BlockedRequests ?? 0)) : side.Requests;

        // An older server doesn't send the squares. A single blocked request then accounts for all of the blocked time.
        var squares = row.BlockedSquaresMs2 is { } after ? after - (before?.BlockedSquaresMs2 ?? 0)
            : unallowed == 1 ? Math.Pow((mean.Blocked * side.Requests).TotalMilliseconds, 2) : 0;
        return new EndpointCase
        {
            Mean = mean,
            Requests = side.Requests,
            Parts = parts,
            Ceiling = limits.Predict(mean, parts.Avoidable),
            HasClock = side is { HeldMs.Mean: not null, CpuMs.Mean: not null, BlockedMs.Mean: not null },
            MeanDuration = duration is { } ms ? Duration.FromMilliseconds(ms) : null,
            Suspensions = Math.Max(0, Math.Round(segments * side.Requests - side.Requests) / side.Requests),
            QueueDelay = Duration.FromMilliseconds(limits.QueueDelayMs),
            BlockedRequests = unallowed,
            BlockedSquares = squares,
            Seen = side.LookedAt || row.Explained is not null ? WaitsSeen.NothingFound : WaitsSeen.NotLooked,
            IsWorstMostOfIt = side.WorstSiteIs is SiteCoverage.Earlier
                || (side.WorstSiteIs is SiteCoverage.Fully && !(side.WorstSiteMs < side.BlockedMs.Mean / 2)),
            HasOtherPlaces = side is { WorstSiteIs: SiteCoverage.Fully, WorstSiteMs: { } atWorst } && !parts.IsNearlyAll(Ms(atWorst)),
        };
    }

    /// <summary>The mean request; 0 for parts that the server doesn't report.</summary>
    public static HeldSplit MeanOf(EndpointSide side) => new(
        Ms(side.HeldMs.Mean ?? 0), Ms(side.CpuMs.Mean ?? 0), Ms(side.CpuWaitMs.Mean ?? 0), Ms(side.GcMs.Mean ?? 0),
        Ms(side.BlockedMs.Mean ?? 0))
    {
        BlockedInGc = Ms(side.BlockedInGcMs?.Mean ?? 0),
    };

    private static BlockedParts PartsOf(HeldSplit mean, RunShares shares)
    {
        var allowed = mean.Blocked * Math.Clamp(shares.Allowed, 0, 1);
        var accused = mean.Blocked - allowed;
        var parts = new BlockedParts(mean.Blocked, allowed, Locks: accused * shares.Locks, Provider: accused * shares.Provider);
        var rest = accused - parts.Locks - parts.Provider;
        var withoutPlace = Duration.Min(mean.Blocked * (1 - shares.Placed), rest);
        var unclear = BlockedParts.UnclearOf(mean, withoutPlace);

        // A server that reports the share has already decided what counts, and knows more.
        var unplaced = shares.Unexplained is { } unexplained
            ? accused * unexplained
            : BlockedParts.UnplacedOf(mean, withoutPlace - unclear, isInRuntime: false);
        return parts with { Unclear = unclear, Unplaced = Duration.Clamp(unplaced, Duration.Zero, (rest - unclear).OrZero()) };
    }

    private static Duration Ms(double ms) => Duration.FromMilliseconds(ms);
}
