using System.Text.Json;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Prediction;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// The verdict on an endpoint by the run's own figures, with the server's own rules: their source files are compiled into this assembly.
/// The server's verdict speaks of other requests, so only what the run's figures cannot tell is taken from it.
/// </summary>
internal static class EndpointVerdict
{
    public const string AsyncWillHelp = "asyncWillHelp";
    public const string LockContention = "lockContention";
    public const string ProviderIsSynchronous = "providerIsSynchronous";
    public const string CpuBound = "cpuBound";
    public const string AlreadyAsync = "alreadyAsync";
    public const string Fine = "fine";
    public const string NotEnoughData = "notEnoughData";

    private static readonly HashSet<string> s_known = [.. Enum.GetValues<Verdict>().Select(Name)];

    /// <param name="side">The run's figures.</param>
    /// <param name="row">The server's row after the run.</param>
    /// <param name="before">The server's row before the run.</param>
    /// <param name="allowedMs">Blocked time at allowed places, in all.</param>
    /// <param name="lockShare">The share of locks in the blocked time that is not allowed, 0 to 1.</param>
    /// <param name="limits">The server's threads and cores.</param>
    public static EndpointSide Decide(
        EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before, double allowedMs, double lockShare, CeilingLimits limits)
    {
        if (side is not { HeldMs.Mean: not null, CpuMs.Mean: not null, BlockedMs.Mean: not null }
            || side.Requests < Verdicts.RequestsNeeded)
        {
            return side with { Verdict = NotEnoughData };
        }

        var mean = MeanOf(side);
        var parts = Parts(mean.Blocked, Ms(allowedMs / side.Requests), lockShare, ProviderShare(row, lockShare));
        var placed = side.WorstSiteIs == SiteCoverage.Sampled ? 1 : row.Explained ?? 0;
        var withoutPlace = Duration.Min(mean.Blocked * (1 - placed), parts.Blocked - parts.Allowed - parts.Locks - parts.Provider);
        parts = parts with { Unclear = BlockedParts.UnclearOf(mean, withoutPlace) };
        var ceiling = limits.Predict(mean, parts.Avoidable);
        var window = Window(mean, side.Requests, row, before, limits.QueueDelayMs);
        // A verdict that is newer than this tool cannot be decided here.
        var verdict = row.Verdict is { } other && !s_known.Contains(other)
            ? other
            : Name(Verdicts.Decide(window, parts, ceiling ?? new Ceiling(0, default, default)));
        var decided = side with
        {
            CeilingPerSecond = ceiling is null ? null : CeilingFigures.From(ceiling),
            Verdict = verdict,
            IsOfOneRequest = Verdicts.IsOfOneRequest(window, parts),
            AllowedMs = allowedMs,
            UnclearMs = Math.Round(parts.Unclear.TotalMilliseconds, 3),
        };
        return decided with { Advice = EndpointAdvice.Describe(decided) };
    }

    /// <summary>The mean request, for the server's rules; 0 for what the server does not tell.</summary>
    public static HeldSplit MeanOf(EndpointSide side) => new(
        Ms(side.HeldMs.Mean ?? 0), Ms(side.CpuMs.Mean ?? 0), Ms(side.CpuWaitMs.Mean ?? 0), Ms(side.GcMs.Mean ?? 0),
        Ms(side.BlockedMs.Mean ?? 0))
    {
        BlockedInGc = Ms(side.BlockedInGcMs?.Mean ?? 0),
    };

    public static string Name(Verdict verdict) => JsonNamingPolicy.CamelCase.ConvertName(verdict.ToString());

    private static BlockedParts Parts(Duration blocked, Duration allowed, double lockShare, double providerShare)
    {
        var accused = (blocked - allowed).OrZero();
        return new(blocked, allowed, Locks: accused * lockShare, Provider: accused * providerShare);
    }

    private static double ProviderShare(EndpointSnapshot row, double lockShare) =>
        row.Shares?.Provider ?? (row.Verdict == ProviderIsSynchronous ? 1 - lockShare : 0);

    private static EndpointWindow Window(HeldSplit mean, long requests, EndpointSnapshot row, EndpointSnapshot? before, double queueDelayMs)
    {
        var duration = Between(row.DurationMeanMs, row.Requests, before?.DurationMeanMs, before?.Requests);
        var segments = Between(row.SegmentsPerRequest, row.Requests, before?.SegmentsPerRequest, before?.Requests) ?? 0;
        var all = new HeldSplit(
            mean.Held * requests, mean.Cpu * requests, mean.CpuWait * requests, mean.Gc * requests, mean.Blocked * requests)
        {
            BlockedInGc = mean.BlockedInGc * requests,
        };
        var unallowed = row.BlockedRequests is { } blocked ? (long)(blocked - (before?.BlockedRequests ?? 0)) : requests;
        // Of an older server's only one, all of it is taken to be its own.
        var squares = row.BlockedSquaresMs2 is { } after ? after - (before?.BlockedSquaresMs2 ?? 0)
            : unallowed == 1 ? Math.Pow(all.Blocked.TotalMilliseconds, 2) : 0;
        var sum = new WarmSum(
            requests, Working: 0, Blocking: 0, unallowed, squares, Away: 0, (long)Math.Round(segments * requests),
            duration is null ? 0 : requests, Ms(duration ?? 0) * requests, all, Allowed: Duration.Zero);
        return new EndpointWindow(sum, MostThreads: 0, Ms(queueDelayMs), HasChanged: false);
    }

    /// <summary>The mean of what came in between, from the means before and after.</summary>
    private static double? Between(double? after, double requests, double? before, double? earlier) =>
        before is null || earlier is null or 0 ? after : ((after * requests) - (before * earlier)) / (requests - earlier);

    private static Duration Ms(double ms) => Duration.FromMilliseconds(ms);
}
