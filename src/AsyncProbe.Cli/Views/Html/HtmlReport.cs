using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>A single self-contained file: it opens from a build's artifacts, offline, in light and dark mode, and on a phone.</summary>
internal static class HtmlReport
{
    public static string Create(ResultText result)
    {
        var document = result.Document;
        var body = new StringBuilder();
        body.Append(CultureInfo.InvariantCulture, $"<h1>{HtmlParts.Escape(document.Title)}</h1>\n");
        HtmlDocument.Write(body, document);
        foreach (var (heading, run) in result.Runs)
        {
            var rate = run.Load.PlannedPerSecond is { } planned ? $" at {FigureText.Rate(planned)} a second" : "";
            HtmlDocument.Write(body, RunDocument.Create(run), heading + rate);
        }

        return Page(document.Title, body);
    }

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
