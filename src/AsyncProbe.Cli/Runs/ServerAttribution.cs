using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Runs;

/// <summary>
/// Combines the server's counts with the client's. Requests per second come only from the client and are divided among endpoints by the
/// server's counts. Two clocks that divide the time differently would otherwise show two rates for the same thing.
/// </summary>
internal static class ServerAttribution
{
    /// <summary>The server's snapshot and the client's clock don't begin and end at exactly the same moment.</summary>
    private const double Slack = 0.05;

    private const int SlackRequests = 10;

    public static ServerSide Attribute(ServerSide server, LoadFacts facts)
    {
        var counted = server.Endpoints.Sum(row => row.Requests);
        if (counted == 0)
        {
            return server;
        }

        var answered = Answered(facts.Tallies.Counted) + Answered(facts.Tallies.CarriedOver);
        var slack = (answered * Slack) + facts.Connections + SlackRequests;
        var agree = server.CountsHoldWarmup || facts.Interrupted || Math.Abs(counted - answered) <= slack;
        // Counts that end early are a sample of the run: their proportions are right, but their sum is not.
        var perRequest = PerSecond(facts) / (agree || !server.EndAnswered ? counted : answered);
        return server with
        {
            Endpoints = [.. server.Endpoints.Select(
                row => row with { ReachedPerSecond = double.IsFinite(perRequest) ? Math.Round(row.Requests * perRequest, 3) : null })],
            Findings = agree ? server.Findings : [.. server.Findings, Disagreement(server, counted, answered)],
        };
    }

    /// <summary>As in the client's total, but without requests that got no response: they may not have reached the server.</summary>
    private static double PerSecond(LoadFacts facts)
    {
        if (facts.IsShorterThanRequests)
        {
            return (Answered(facts.Tallies.Counted) + Answered(facts.Tallies.CarriedOver)) / (facts.Warmup + facts.Answered).TotalSeconds;
        }

        return facts.Tallies.Counted.Sum(tally => tally.AnsweredInTime) / facts.Measured.TotalSeconds;
    }

    private static long Answered(Tally[] tallies) => tallies.Sum(tally => tally.Requests - tally.Statuses.GetValueOrDefault(0));

    private static string Disagreement(ServerSide server, long counted, long answered) => string.Create(CultureInfo.InvariantCulture,
        $"The server counted {counted:N0} requests, but this run got {answered:N0} answers: {Why(server, counted > answered)}");

    private static string Why(ServerSide server, bool more) =>
        more ? "other clients used it too, or requests were redirected or aborted. Its figures include them all."
        : server.EndAnswered ? "the rest were answered by another process, or before they reached the application."
        : "its counts stop at its last answer.";
}
