using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>A single self-contained file: it opens from a build's artifacts, offline, in light and dark mode, and on a phone.</summary>
internal static class HtmlReport
{
    public static string Create(IReadOnlyList<RunResult> runs, string title, string? conclusion)
    {
        var body = new StringBuilder();
        HtmlParts.Lead(body, title, conclusion);
        foreach (var run in runs)
        {
            HtmlRun.Write(body, run, runs.Count > 1);
        }

        return Page(title, body);
    }

    public static string Create(ComparisonResult comparison)
    {
        var title = string.Join(" · ", comparison.Sessions.Select(session => session.Name));
        var body = new StringBuilder();
        HtmlParts.Lead(body, title, comparison.Conclusion);
        HtmlComparison.Write(body, comparison);
        foreach (var session in comparison.Sessions)
        {
            // The round with the median throughput represents the session. Its figures are not the medians, and the title says so.
            var middle = session.Rounds.OrderBy(run => run.Total.RequestsPerSecond).ElementAt((session.Rounds.Count - 1) / 2);
            HtmlRun.Write(body, middle, titled: true, session.Rounds.Count > 1 ? $"{session.Name}, its middle round" : session.Name);
        }

        return Page(title, body);
    }

    public static string Create(ObservationResult observation)
    {
        var title = ObservationText.Heading(observation);
        var body = new StringBuilder();
        HtmlParts.Lead(body, title, null);
        HtmlObservation.Write(body, observation);
        return Page(title, body);
    }

    public static string Data(RunResult run) =>
        // A "<" in a URL must not end the script element that contains it.
        JsonSerializer.Serialize(run with { Thresholds = [], Warnings = [], Differences = [] }, ResultJson.Readable.RunResult)
            .Replace("<", "\\u003c", StringComparison.Ordinal);

    private static string Page(string title, StringBuilder body)
    {
        var text = new StringBuilder();
        var script = "\n" + Resource("report.js");
        text.Append(CultureInfo.InvariantCulture, $"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="{Policy(script)}">
            <title>{HtmlParts.Escape(title)} – asyncprobe</title>
            <style>
            {Resource("report.css")}</style>
            </head>
            <body>
            <main>
            {body}
            <footer>{HtmlParts.Escape(ToolVersion.Text)}</footer>
            </main>
            <script>{script}</script>
            </body>
            </html>

            """);
        return text.ToString();
    }

    /// <summary>Whatever content ends up in the page, it loads nothing, sends nothing, and runs only this script.</summary>
    private static string Policy(string script) =>
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
            + $"script-src 'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(script)))}'";

    private static string Resource(string name)
    {
        using var stream = typeof(HtmlReport).Assembly.GetManifestResourceStream($"AsyncProbe.Cli.Views.Html.{name}")!;
        using var reader = new StreamReader(stream);
        // A browser converts every line break to \n before it calculates the script's hash.
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
