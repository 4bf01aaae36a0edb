using System.Globalization;
using AsyncProbe.Cli.Load;

namespace AsyncProbe.Cli.Results;

/// <summary>
/// Lays the server's counts beside the client's. Requests a second come from the client alone, shared out by the server's counts: two
/// clocks and two ways to cut the time would show two rates for one thing.
/// </summary>
internal static class ServerShare
{
    /// <summary>The server's snapshot and the client's clock do not cut in the same moment.</summary>
    private const double Slack = 0.05;

    private const int SlackRequests = 10;

    public static ServerSide Reach(RunFacts facts, bool shorter)
    {
        var counted = facts.Server.Endpoints.Sum(row => row.Requests);
        if (counted == 0)
        {
            return facts.Server;
        }

        var answered = Answered(facts.Tallies.Counted) + Answered(facts.Tallies.CarriedOver);
        var slack = (answered * Slack) + facts.Connections + SlackRequests;
        var agree = facts.Server.CountsHoldWarmup || facts.Interrupted || Math.Abs(counted - answered) <= slack;
        // Counts that end early are a sample of the run: the shares hold, their sum does not.
        var perRequest = PerSecond(facts, shorter) / (agree || !facts.Server.EndAnswered ? counted : answered);
        return facts.Server with
        {
            Endpoints = [.. facts.Server.Endpoints.Select(row => row with { ReachedPerSecond = double.IsFinite(perRequest) ? Math.Round(row.Requests * perRequest, 3) : null })],
            Findings = agree ? facts.Server.Findings : [.. facts.Server.Findings, Disagreement(facts.Server, counted, answered)],
        };
    }

    /// <summary>As in the client's total, without the requests that no response came for: they may not have reached the server.</summary>
    private static double PerSecond(RunFacts facts, bool shorter)
    {
        if (shorter)
        {
            return (Answered(facts.Tallies.Counted) + Answered(facts.Tallies.CarriedOver)) / (facts.Warmup + facts.Answered).TotalSeconds;
        }

        return facts.Tallies.Counted.Sum(tally => tally.AnsweredInTime) / facts.Measured.TotalSeconds;
    }

    private static long Answered(Tally[] tallies) => tallies.Sum(tally => tally.Requests - tally.Statuses.GetValueOrDefault(0));

    private static string Disagreement(ServerSide server, long counted, long answered) => string.Create(CultureInfo.InvariantCulture,
        $"The server counted {counted:N0} requests in this time, and {answered:N0} of this run were answered: {Why(server, counted > answered)}");

    private static string Why(ServerSide server, bool more) =>
        more ? "others used the server too, or requests were redirected or cut off. Its figures are of all of them."
        : server.EndAnswered ? "the others were answered by another process, or before they reached the application."
        : "its counts end with its last answer.";
}
