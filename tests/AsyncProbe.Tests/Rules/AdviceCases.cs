using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

/// <summary>Endpoints for the tests of the advice.</summary>
internal static class AdviceCases
{
    private static Duration Ms => Duration.Millisecond;

    /// <summary>Collections paused the process for as long as the thread was blocked.</summary>
    public static EndpointCase Collected => State(new HeldSplit(239 * Ms, Ms, 43 * Ms, 147 * Ms, 43 * Ms) { BlockedInGc = 43 * Ms });

    /// <summary>It works a little, and collections may explain the rest.</summary>
    public static EndpointCase Collecting
    {
        get
        {
            var mean = new HeldSplit(47 * Ms, 2 * Ms, Ms, 4 * Ms, 40 * Ms) { BlockedInGc = 30 * Ms };
            return State(mean) with { Ceiling = Ceiling.Create(mean, Duration.Zero, Duration.Zero, threads: 15, cores: 2) };
        }
    }

    /// <summary>It mostly waits for a core.</summary>
    public static EndpointCase Crowded
    {
        get
        {
            var mean = new HeldSplit(297 * Ms, 8 * Ms, 233 * Ms, Duration.Zero, 56 * Ms);
            return State(mean) with { Ceiling = Ceiling.Create(mean, Duration.Zero, Duration.Zero, threads: 15, cores: 0.5) };
        }
    }

    public static EndpointCase State(
        HeldSplit mean, long requests = 9, Duration allowed = default, Duration duration = default, long? blocking = null)
    {
        var unallowed = (mean.Blocked - allowed).TotalMilliseconds * requests;
        return new EndpointCase
        {
            Mean = mean,
            Requests = requests,
            Parts = new BlockedParts(mean.Blocked, allowed, Duration.Zero, Duration.Zero),
            MeanDuration = duration,
            BlockedRequests = blocking ?? requests,
            BlockedSquares = unallowed * unallowed / (blocking ?? requests),
        };
    }

    /// <summary>All of its blocked time may be waits for a collection or for a core.</summary>
    public static EndpointCase Unclear(EndpointCase endpoint) =>
        endpoint with { Parts = endpoint.Parts with { Unclear = endpoint.Mean.Blocked } };

    public static WaitPlace Site(WaitKind kind) => new(kind.Name()) { Help = kind.Help(), IsAwaitable = true };
}
