using System.Text.Json;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Views;

/// <summary>A result in every written form. The terminal, Markdown and HTML show its document.</summary>
internal sealed record ResultText(ReportDocument Document, Func<string> Json, Func<string> Junit)
{
    /// <summary>All servers of the result; for a comparison, the servers of every round.</summary>
    public required IReadOnlyList<ServerSide> Servers { get; init; }

    /// <summary>The runs that the page shows one by one below the document.</summary>
    public IEnumerable<(string Heading, RunResult Run)> Runs { get; init; } = [];

    /// <param name="run">The result.</param>
    /// <param name="hasDifferences">Whether the terminal lists what WebSurge would do differently; files always do.</param>
    public static ResultText From(RunResult run, bool hasDifferences = false) => new(
        RunDocument.Create(run, hasDifferences),
        () => JsonSerializer.Serialize(run, ResultJson.Readable.RunResult),
        () => JunitReport.Create(run.Session, run.Thresholds, run.Load.MeasuredSeconds, Notes(run)))
    {
        Servers = [run.Server],
    };

    public static ResultText From(SweepResult sweep) => new(
        SweepDocument.Create(sweep),
        () => JsonSerializer.Serialize(sweep, ResultJson.Readable.SweepResult),
        () => JunitReport.Create(
            sweep.Session,
            [
                .. from run in sweep.Runs
                    from threshold in run.Thresholds
                    select threshold with { Expression = $"{SweepDocument.At(run)}: {threshold.Expression}" },
            ],
            sweep.Runs.Sum(run => run.Load.MeasuredSeconds),
            from run in sweep.Runs from note in Notes(run) select $"{SweepDocument.At(run)}: {note}"))
    {
        Servers = [.. sweep.Runs.Select(run => run.Server)],

        // The sweep has the warnings and thresholds of all runs.
        Runs = sweep.Runs.Select(
            run => (run.Session, run with { Warnings = [], Thresholds = [], Server = run.Server with { Findings = [] } })),
    };

    public static ResultText From(ComparisonResult comparison) => new(
        ComparisonDocument.Create(comparison),
        () => JsonSerializer.Serialize(comparison, ResultJson.Readable.ComparisonResult),
        () => JunitReport.Create(
            "compare", comparison.Thresholds, comparison.Sessions.Sum(session => session.Rounds.Sum(run => run.Load.MeasuredSeconds)),
            comparison.Warnings))
    {
        Servers = [.. comparison.Sessions.SelectMany(session => session.Rounds).Select(run => run.Server)],
        Runs = comparison.Sessions.Select(MiddleRound),
    };

    public static ResultText From(ObservationResult observation) => new(
        ObservationDocument.Create(observation),
        () => JsonSerializer.Serialize(observation, ResultJson.Readable.ObservationResult),
        () => JunitReport.Create(
            "observe", observation.Thresholds, observation.Seconds,
            ObservationText.Warnings(observation)))
    {
        Servers = [.. observation.Replicas.Select(replica => replica.Server)],
    };

    /// <summary>What readers need to know before they trust a run's figures.</summary>
    public static IEnumerable<string> Notes(RunResult run) => run.Warnings.Select(warning => warning.Text).Concat(run.Server.Findings);

    // The round with the median throughput represents the session. Its figures are not the medians, and the heading says so.
    private static (string Heading, RunResult Run) MiddleRound(ComparedSession session) => (
        session.Rounds.Count > 1 ? $"{session.Name}, its middle round" : session.Name,
        session.Rounds.OrderBy(run => run.Total.RequestsPerSecond).ElementAt((session.Rounds.Count - 1) / 2));
}
