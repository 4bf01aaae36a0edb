using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

/// <summary>Cases for the rules, made from the figures in an endpoint's window.</summary>
internal static class Cases
{
    private static Duration Ms => Duration.Millisecond;

    public static EndpointCase From(EndpointWindow window, BlockedParts parts, Ceiling? ceiling) => new()
    {
        Mean = window.Sum.Mean,
        Requests = window.Sum.Requests,
        Parts = parts,
        Ceiling = ceiling,
        MeanDuration = window.Sum.MeanDuration,
        Suspensions = window.Sum.Suspensions,
        QueueDelay = window.QueueDelay,
        BlockedRequests = window.Sum.Count(Figure.Unallowed),
        BlockedSquares = window.Sum.UnallowedSquares,
        HasChanged = window.HasChanged,
    };

    public static Ceiling Unlimited => Gains(10);

    public static Verdict Decide(long requests, HeldSplit mean, Duration locks, Duration? duration) =>
        Decide(Window(requests, mean, duration), new BlockedParts(mean.Blocked, Duration.Zero, locks, Duration.Zero), Unlimited);

    public static Verdict Decide(EndpointWindow window, BlockedParts parts, Ceiling ceiling) =>
        Verdicts.Decide(From(window, parts, ceiling));

    public static Ceiling Gains(double factor) => new(4, new Rate(100, 100), new Rate(100 * factor, 100 * factor));

    public static BlockedParts Parts(double blocked) => new(blocked * Ms, Duration.Zero, Duration.Zero, Duration.Zero);

    public static EndpointWindow Window(
        long requests, HeldSplit mean, Duration? duration, double suspensions = 1, long? blocking = null, double? squares = null) => new(
        Sums.From(
            requests, mean, duration, (long)(requests * (1 + suspensions)), blocking,
            squares ?? SquaresOf(mean.Blocked * requests, blocking ?? requests)),
        MostThreads: 4,
        QueueDelay: Duration.Zero,
        HasChanged: false);

    public static HeldSplit Mean(double cpu, double blocked, double cpuWait = 0) =>
        new((cpu + blocked + cpuWait) * Ms, cpu * Ms, cpuWait * Ms, Duration.Zero, blocked * Ms);

    // For requests that were all blocked for the same time.
    private static double SquaresOf(Duration blocked, long requests) =>
        requests == 0 ? 0 : Math.Pow(blocked.TotalMilliseconds, 2) / requests;
}
