using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Comparison;

/// <summary>Compares what the server predicted for a session's endpoint with what another session reached.</summary>
internal static class Predictions
{
    /// <summary>If the mean is at most this many times the fastest answer, requests didn't queue.</summary>
    private const double NoQueue = 1.2;

    public static IReadOnlyList<string> Describe(IReadOnlyList<ComparedSession> sessions)
    {
        var sentences = new List<string>();
        foreach (var session in sessions)
        {
            if (Typical(session) is not { } worst)
            {
                continue;
            }

            sentences.Add(DescribeEndpoint(session.Name, worst));
            if (session == sessions[0] && worst.Verdict == EndpointVerdict.AsyncWillHelp && worst.CeilingPerSecond?.Gain is { } gain)
            {
                var reached = sessions.Skip(1).Where(other => other.Figures[0].Ratio is not null)
                    .Select(other => $"; {other.Name} reached {FigureText.Times(other.Figures[0].Ratio!.Value)}{Limit(Middle(other)!)}");
                // If the ceiling is only an upper bound, a factor would read as a promise.
                var times = worst.CeilingPerSecond.IfAsyncLow is null ? "" : $" ({FigureText.Times(gain)})";
                sentences.Add(
                    $"With async the ceiling of {worst.Endpoint} would "
                        + $"be {FigureText.Range(worst.CeilingPerSecond.IfAsyncLow, worst.CeilingPerSecond.IfAsyncHigh)} a "
                        + $"second{times}{string.Concat(reached)}.");
            }
        }

        return sentences;
    }

    /// <summary>The worst endpoint with its medians over the rounds, to match the table instead of a single round.</summary>
    private static EndpointSide? Typical(ComparedSession session)
    {
        if (Middle(session)?.Server.Endpoints is not [var worst, ..])
        {
            return null;
        }

        var rows = session.Rounds.Select(run => run.Server.Endpoints.FirstOrDefault(row => row.Endpoint == worst.Endpoint))
            .OfType<EndpointSide>().ToList();
        return worst with
        {
            HeldMs = worst.HeldMs with { Mean = Median(row => row.HeldMs.Mean) },
            BlockedMs = worst.BlockedMs with { Mean = Median(row => row.BlockedMs.Mean) },
            ReachedPerSecond = Median(row => row.ReachedPerSecond),
            CeilingPerSecond = worst.CeilingPerSecond is null ? null : new(
                Median(row => row.CeilingPerSecond?.Threads), Median(row => row.CeilingPerSecond?.NowLow),
                Median(row => row.CeilingPerSecond?.NowHigh),
                Median(row => row.CeilingPerSecond?.IfAsyncLow), Median(row => row.CeilingPerSecond?.IfAsyncHigh)),
        };

        double? Median(Func<EndpointSide, double?> figure) => Statistics.Median.Calculate(rows.Select(figure));
    }

    /// <summary>The round with the median requests per second, which the table shows.</summary>
    private static RunResult? Middle(ComparedSession session) =>
        session.Rounds.OrderBy(run => run.Total.RequestsPerSecond).ElementAtOrDefault((session.Rounds.Count - 1) / 2);

    /// <summary>
    /// Explains why a session may reach less than predicted: in the closed model, threads that wait for each answer can't send requests any
    /// faster.
    /// </summary>
    private static string Limit(RunResult run) =>
        run is { Load: { Model: LoadShape.Closed } load, Total.TimeMs: { } time } && time.MeanMs < NoQueue * time.MinMs
            ? $", all that {FigureText.Count(load.Threads, "thread")} can ask for at {FigureText.Ms(time.MeanMs)} ms an answer"
            : " under this load";

    private static string DescribeEndpoint(string name, EndpointSide row)
    {
        var blocked = row.BlockedMs.Mean is > 0.05 ? $", blocked {FigureText.Ms(row.BlockedMs.Mean)} ms of it" : "";
        var site = row.WorstSite is null || blocked.Length == 0 ? "" : $" at {WorstSiteText.Where(row)}";
        var ceiling = row.CeilingPerSecond is { } figures && (figures.NowHigh ?? figures.NowLow) is not null
            ? $"; ceiling {FigureText.Range(figures.NowLow, figures.NowHigh)} a second, reached {FigureText.Rate(row.ReachedPerSecond)}"
            : "";
        return $"{name}: {row.Endpoint} held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms a request{blocked}{site}{ceiling}.";
    }
}
