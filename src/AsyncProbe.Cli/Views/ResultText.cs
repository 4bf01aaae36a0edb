using System.Text.Json;
using AsyncProbe.Cli.Results;

namespace AsyncProbe.Cli.Views;

/// <summary>A result in every written form.</summary>
internal sealed record ResultText(Func<string> Json, Func<string> Html, Func<string> Markdown, Func<string> Junit)
{
    public static ResultText Of(RunResult run) => new(
        () => JsonSerializer.Serialize(run, ResultJson.Readable.RunResult),
        () => Views.Html.HtmlReport.Of([run], run.Session, null),
        () => MarkdownReport.Of(run),
        () => JunitReport.Of(run.Session, run.Thresholds, run.Load.MeasuredSeconds, [.. run.Warnings, .. run.Server.Findings]));

    public static ResultText Of(SweepResult sweep) => new(
        () => JsonSerializer.Serialize(sweep, ResultJson.Readable.SweepResult),
        () => Views.Html.HtmlReport.Of(sweep.Runs, sweep.Session, sweep.Conclusion),
        () => MarkdownReport.Of(sweep),
        () => JunitReport.Of(sweep.Session, [.. sweep.Runs.SelectMany(run => run.Thresholds)], sweep.Runs.Sum(run => run.Load.MeasuredSeconds), [.. sweep.Runs.SelectMany(run => run.Warnings.Concat(run.Server.Findings))]));

    public static ResultText Of(ComparisonResult comparison) => new(
        () => JsonSerializer.Serialize(comparison, ResultJson.Readable.ComparisonResult),
        () => Views.Html.HtmlReport.Of(comparison),
        () => MarkdownReport.Of(comparison),
        () => JunitReport.Of("compare", comparison.Thresholds, comparison.Sessions.Sum(session => session.Rounds.Sum(run => run.Load.MeasuredSeconds)), comparison.Warnings));
}
