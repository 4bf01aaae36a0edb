using System.Text.Json;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Views.Documents;
using AsyncProbe.Cli.Views.Html;

namespace AsyncProbe.Cli.Views;

/// <summary>A result in every written form.</summary>
internal sealed record ResultText(Func<string> Json, Func<string> Html, Func<string> Markdown, Func<string> Junit)
{
    /// <summary>All servers of the result; for a comparison, the servers of every round.</summary>
    public required IReadOnlyList<ServerSide> Servers { get; init; }

    public static ResultText From(RunResult run) => new(
        () => JsonSerializer.Serialize(run, ResultJson.Readable.RunResult),
        () => HtmlReport.Create(run),
        () => MarkdownDocument.Create(RunDocument.Create(run)),
        () => JunitReport.Create(run.Session, run.Thresholds, run.Load.MeasuredSeconds, Notes(run)))
    {
        Servers = [run.Server],
    };

    public static ResultText From(SweepResult sweep) => new(
        () => JsonSerializer.Serialize(sweep, ResultJson.Readable.SweepResult),
        () => HtmlReport.Create(sweep),
        () => MarkdownDocument.Create(SweepDocument.Create(sweep)),
        () => JunitReport.Create(
            sweep.Session, [.. sweep.Runs.SelectMany(run => run.Thresholds)], sweep.Runs.Sum(run => run.Load.MeasuredSeconds),
            sweep.Runs.SelectMany(Notes)))
    {
        Servers = [.. sweep.Runs.Select(run => run.Server)],
    };

    public static ResultText From(ComparisonResult comparison) => new(
        () => JsonSerializer.Serialize(comparison, ResultJson.Readable.ComparisonResult),
        () => HtmlReport.Create(comparison),
        () => MarkdownDocument.Create(ComparisonDocument.Create(comparison)),
        () => JunitReport.Create(
            "compare", comparison.Thresholds, comparison.Sessions.Sum(session => session.Rounds.Sum(run => run.Load.MeasuredSeconds)),
            comparison.Warnings))
    {
        Servers = [.. comparison.Sessions.SelectMany(session => session.Rounds).Select(run => run.Server)],
    };

    public static ResultText From(ObservationResult observation) => new(
        () => JsonSerializer.Serialize(observation, ResultJson.Readable.ObservationResult),
        () => HtmlReport.Create(observation),
        () => MarkdownDocument.Create(ObservationDocument.Create(observation)),
        () => JunitReport.Create(
            "observe", observation.Thresholds, observation.Seconds,
            ObservationText.Warnings(observation)))
    {
        Servers = [.. observation.Replicas.Select(replica => replica.Server)],
    };

    /// <summary>What readers need to know before they trust a run's figures.</summary>
    public static IEnumerable<string> Notes(RunResult run) => run.Warnings.Select(warning => warning.Text).Concat(run.Server.Findings);
}
