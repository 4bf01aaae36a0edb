using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Results;

/// <summary>What the server predicted for a session's endpoint, beside what another session reached.</summary>
internal static class Predictions
{
    public static IReadOnlyList<string> Of(IReadOnlyList<ComparedSession> sessions)
    {
        var sentences = new List<string>();
        foreach (var session in sessions)
        {
            if (session.Rounds.Count == 0 || session.Rounds[^1].Server.Endpoints is not [var worst, ..])
            {
                continue;
            }

            sentences.Add(Story(session.Name, worst));
            if (session == sessions[0] && worst.Verdict == "asyncWillHelp" && worst.CeilingPerSecond?.Gain is { } gain)
            {
                var reached = sessions.Skip(1).Where(other => other.Figures[0].Ratio is not null)
                    .Select(other => $"; {other.Name} reached {Text.Times(other.Figures[0].Ratio!.Value)} under this load");
                sentences.Add($"With async the ceiling of {worst.Endpoint} would be {ServerText.Range(worst.CeilingPerSecond.IfAsyncLow, worst.CeilingPerSecond.IfAsyncHigh)} a second ({Text.Times(gain)}){string.Concat(reached)}.");
            }
        }

        return sentences;
    }

    private static string Story(string name, EndpointSide row)
    {
        var blocked = row.BlockedMs.Mean is > 0.05 ? $", blocked {Text.Ms(row.BlockedMs.Mean)} ms of it" : "";
        var site = row.WorstSite is null || blocked.Length == 0 ? "" : $" at {row.WorstSite} [{row.WorstSiteKind}]";
        var ceiling = row.CeilingPerSecond is { } figures && (figures.NowHigh ?? figures.NowLow) is not null
            ? $"; ceiling {ServerText.Range(figures.NowLow, figures.NowHigh)} a second, reached {Text.Rate(row.ReachedPerSecond)}"
            : "";
        return $"{name}: {row.Endpoint} held a thread for {Text.Ms(row.HeldMs.Mean)} ms a request{blocked}{site}{ceiling}.";
    }
}
