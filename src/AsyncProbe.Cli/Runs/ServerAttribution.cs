using System.Globalization;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;

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
        var difference = Compare(server, facts, counted, answered);
        var isSample = difference is CountDifference.None or CountDifference.EndedEarly or CountDifference.BeganLate;
        var perRequest = PerSecond(facts) / (isSample ? counted : answered);
        return server with
        {
            Endpoints = [.. server.Endpoints.Select(
                row => row with { ReachedPerSecond = double.IsFinite(perRequest) ? Math.Round(row.Requests * perRequest, 3) : null })],
            Findings = difference == CountDifference.None
                ? server.Findings
                : [.. server.Findings, Describe(difference, server, counted, answered)],
        };
    }

    private static CountDifference Compare(ServerSide server, LoadFacts facts, long counted, long answered)
    {
        var slack = (answered * Slack) + facts.Connections + SlackRequests;
        var beganAgain = server.CountsBegan is CountsBegan.Restarted or CountsBegan.Reset;
        if (server.CountsHoldWarmup || beganAgain || facts.Interrupted || Math.Abs(counted - answered) <= slack)
        {
            return CountDifference.None;
        }

        if (counted > answered)
        {
            return CountDifference.OthersUsedIt;
        }

        var before = PerSecond(facts) * server.CountsBeginAfterMs / 1000;
        return !server.EndAnswered ? CountDifference.EndedEarly
            : server.CountsBeginLate && answered - counted <= before + slack ? CountDifference.BeganLate
            : CountDifference.AnsweredElsewhere;
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

    private static string Describe(CountDifference difference, ServerSide server, long counted, long answered) => string.Create(
        CultureInfo.InvariantCulture,
        $"The server counted {counted:N0} requests, but this run got {answered:N0} answers: {Why(difference, server.CountsBeginAfterMs / 1000)}");

    private static string Why(CountDifference difference, double beganAfter) => difference switch
    {
        CountDifference.OthersUsedIt => "other clients used it too, or requests were redirected or aborted. Its figures include them all.",
        CountDifference.EndedEarly => "its counts stop at its last answer.",
        CountDifference.BeganLate => string.Create(
            CultureInfo.InvariantCulture,
            $"its counts begin with an answer that came {beganAfter:0.0} s into the measured time."),
        _ => "the rest were answered by another process, or before they reached the application.",
    };

    /// <summary>How the server's count of requests differs from the answers that the client got.</summary>
    private enum CountDifference
    {
        None,
        OthersUsedIt,

        /// <summary>The server's counts are a sample of the run: their proportions are right, but their sum is not.</summary>
        EndedEarly,

        /// <summary>A sample, too.</summary>
        BeganLate,
        AnsweredElsewhere,
    }
}
