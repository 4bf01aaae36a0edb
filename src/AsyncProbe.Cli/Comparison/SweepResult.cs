using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Comparison;

/// <summary>One session at rising rates, and the rate where the server fell behind.</summary>
internal sealed record SweepResult() : SavedResult("sweep")
{
    public required string Session { get; init; }
    public required IReadOnlyList<RunResult> Runs { get; init; }
    public required string Conclusion { get; init; }

    public static SweepResult From(IReadOnlyList<RunResult> runs) => new()
    {
        Session = runs[0].Session,
        Runs = runs,
        Conclusion = Conclude(runs),
    };

    /// <summary>The server holds a rate when it keeps up with the planned requests and less than 1 % fail.</summary>
    public static bool Holds(RunResult run) => RunWarnings.KeptUp(run) && run.Total.FailedShare < 0.01;

    private static string Conclude(IReadOnlyList<RunResult> runs)
    {
        var behind = runs.FirstOrDefault(run => !Holds(run));
        var held = runs.TakeWhile(Holds).LastOrDefault();
        var rates = (FormattableString)$"{held?.Load.PlannedPerSecond} request{(held?.Load.PlannedPerSecond == 1 ? "" : "s")} a second";
        var last = rates.ToString(System.Globalization.CultureInfo.InvariantCulture);
        if (behind is null)
        {
            return $"{runs[0].Session} kept up with every rate, up to {last}.";
        }

        FormattableString fell = $"fell behind at {behind.Load.PlannedPerSecond}: {RunWarnings.Settled(behind):0.#} a second answered in time, {behind.Total.FailedShare:P1} failed";
        var fellText = fell.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return held is null
            ? $"{runs[0].Session} {fellText}, the lowest rate tried."
            : $"{runs[0].Session} kept up with {last} and {fellText}.";
    }
}
