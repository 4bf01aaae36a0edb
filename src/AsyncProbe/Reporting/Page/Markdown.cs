using System.Net;
using System.Text;
using System.Text.RegularExpressions;

namespace AsyncProbe.Reporting.Page;

/// <summary>
/// Turns the Markdown that docs/blocking.md uses into HTML: headings, paragraphs, lists, tables, code and emphasis. A link to a heading
/// with the same text stays a link. Any other link becomes plain text, because its target is not in the package.
/// </summary>
internal static partial class Markdown
{
    /// <summary>A heading as a URL fragment: <c>Task.WaitAll/Any</c> becomes <c>task-waitall-any</c>.</summary>
    public static string Anchor(string heading) => NotInAnchors().Replace(heading.ToLowerInvariant(), "-");

    public static string ToHtml(string text)
    {
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        var html = new StringBuilder();
        for (var i = 0; i < lines.Length;)
        {
            i = lines[i] switch
            {
                "" => i + 1,
                ['#', ' ', .. var title] => Line(html, $"<h1>{Inline(title)}</h1>", i),
                ['#', '#', ' ', .. var title] => Line(html, $"<h2 id=\"{Anchor(title)}\">{Inline(title)}</h2>", i),
                ['|', ..] => Table(html, lines, i),
                ['-', ' ', ..] => List(html, lines, i),
                _ => Paragraph(html, lines, i),
            };
        }

        return html.ToString();
    }

    private static int Line(StringBuilder html, string line, int at)
    {
        html.Append(line).Append('\n');
        return at + 1;
    }

    private static int Table(StringBuilder html, string[] lines, int at)
    {
        html.Append("<table class=\"rows\">\n<thead>").Append(Row(lines[at], "th")).Append("</thead>\n<tbody>\n");

        // Skip the line after the column heads, which only aligns the columns.
        for (at += 2; at < lines.Length && lines[at].StartsWith('|'); at++)
        {
            html.Append(Row(lines[at], "td")).Append('\n');
        }

        html.Append("</tbody>\n</table>\n");
        return at;
    }

    private static string Row(string line, string cell) =>
        "<tr>" + string.Concat(line.Trim('|', ' ').Split(" | ").Select(c => $"<{cell}>{Inline(c)}</{cell}>")) + "</tr>";

    private static int List(StringBuilder html, string[] lines, int at)
    {
        html.Append("<ul>\n");
        while (at < lines.Length && lines[at].StartsWith("- ", StringComparison.Ordinal))
        {
            var item = new StringBuilder(lines[at++][2..]);
            while (at < lines.Length && lines[at].StartsWith("  ", StringComparison.Ordinal))
            {
                item.Append(' ').Append(lines[at++].AsSpan(2));
            }

            html.Append("<li>").Append(Inline(item.ToString())).Append("</li>\n");
        }

        html.Append("</ul>\n");
        return at;
    }

    private static int Paragraph(StringBuilder html, string[] lines, int at)
    {
        var words = new StringBuilder(lines[at++]);
        while (at < lines.Length && lines[at] is not ("" or ['#', ..] or ['|', ..] or ['-', ' ', ..] or ['*', '*', ..]))
        {
            words.Append(' ').Append(lines[at++]);
        }

        html.Append("<p>").Append(Inline(words.ToString())).Append("</p>\n");
        return at;
    }

    private static string Inline(string text)
    {
        var html = new StringBuilder();
        var written = 0;
        foreach (Match mark in Mark().Matches(text))
        {
            html.Append(WebUtility.HtmlEncode(text[written..mark.Index])).Append(Marked(mark));
            written = mark.Index + mark.Length;
        }

        return html.Append(WebUtility.HtmlEncode(text[written..])).ToString();
    }

    private static string Marked(Match mark)
    {
        if (mark.Groups["code"] is { Success: true } code)
        {
            return $"<code>{WebUtility.HtmlEncode(code.Value)}</code>";
        }

        if (mark.Groups["bold"] is { Success: true } bold)
        {
            return $"<b>{Inline(bold.Value)}</b>";
        }

        if (mark.Groups["em"] is { Success: true } em)
        {
            return $"<em>{Inline(em.Value)}</em>";
        }

        // A link to a heading has the heading's text, so its anchor can be made from the link text.
        var words = mark.Groups["words"].Value;
        return mark.Groups["target"].Value.StartsWith('#') ? $"<a href=\"#{Anchor(words)}\">{Inline(words)}</a>" : Inline(words);
    }

    [GeneratedRegex(@"`(?<code>[^`]+)`|\*\*(?<bold>[^*]+)\*\*|\*(?<em>[^*]+)\*|\[(?<words>[^\]]+)\]\((?<target>[^)]+)\)")]
    private static partial Regex Mark();

    [GeneratedRegex(@"[^a-z0-9]+")]
    private static partial Regex NotInAnchors();
}
