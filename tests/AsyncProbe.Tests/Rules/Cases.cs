using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

/// <summary>Cases for the rules, made from the figures in an endpoint's window.</summary>
internal static class Cases
{
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
}
