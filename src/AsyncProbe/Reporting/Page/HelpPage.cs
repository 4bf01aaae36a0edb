using System.Net;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Page;

/// <summary>
/// Serves docs/blocking.md as a page beneath the report, so users can read what the advice means without the repository.
/// </summary>
internal static partial class HelpPage
{
    /// <summary>The page's path below the report's address.</summary>
    public const string Name = "help";

    private const string Resource = "AsyncProbe.Help.blocking.md";

    private static readonly Lazy<string> s_html = new(Render, LazyThreadSafetyMode.PublicationOnly);

    /// <summary>The Markdown, as embedded in the assembly.</summary>
    public static string Text { get; } = Load();

    public static Task Write(HttpContext context)
    {
        // The style sheet is next to the page, or one level up if the request's path ends with a slash.
        var root = context.Request.Path.Value?.EndsWith('/') == true ? "../" : "";
        return PageFiles.Write(context, Html(root), PageFiles.Html);
    }

    /// <param name="root">The relative path from the help page to the live page's parts.</param>
    public static byte[] Html(string root) => Encoding.UTF8.GetBytes(s_html.Value.Replace("{root}", root, StringComparison.Ordinal));

    /// <summary>A link to the project's repository; empty until it has an address.</summary>
    internal static string Footer(string? repositoryUrl) => string.IsNullOrWhiteSpace(repositoryUrl)
        ? ""
        : $"<p class=\"quiet\">More: <a href=\"{WebUtility.HtmlEncode(repositoryUrl)}\">{WebUtility.HtmlEncode(repositoryUrl)}</a></p>\n";

    private static string Render() =>
        $$"""
        <!doctype html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>Ways to block a thread – AsyncProbe</title>
          <link rel="icon" href="data:,">
          <link rel="stylesheet" href="{root}page.css">
        </head>
        <body>
        <main class="help">
        <p><a href="{root}./">Back to the live page</a></p>
        {{WithContents(Markdown.ToHtml(Text))}}{{Footer(RepositoryUrl())}}</main>
        </body>
        </html>
        """;

    /// <summary>Inserts a list of the sections after the heading.</summary>
    private static string WithContents(string html)
    {
        var items = Section().Matches(html).Select(m => $"<li><a href=\"#{m.Groups["id"].Value}\">{m.Groups["title"].Value}</a></li>\n");
        var end = html.IndexOf("</h1>", StringComparison.Ordinal) + "</h1>".Length;
        return $"{html[..end]}\n<nav aria-label=\"Contents\"><ul class=\"contents\">\n{string.Concat(items)}</ul></nav>{html[end..]}";
    }

    [GeneratedRegex("<h2 id=\"(?<id>[^\"]*)\">(?<title>.*?)</h2>")]
    private static partial Regex Section();

    // The build writes the property RepositoryUrl into the assembly unless it's empty.
    private static string? RepositoryUrl() => typeof(HelpPage).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .FirstOrDefault(a => a.Key == "RepositoryUrl")?.Value;

    private static string Load()
    {
        using var reader = new StreamReader(typeof(HelpPage).Assembly.GetManifestResourceStream(Resource)!);
        return reader.ReadToEnd();
    }
}
