using System.Globalization;
using System.Net;
using System.Text;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>The building blocks of every page; all text from outside is escaped here.</summary>
internal static class HtmlParts
{
    public static string Escape(string text) => WebUtility.HtmlEncode(SafeText.From(text));

    public static void Heading(StringBuilder body, string? heading) => body.Append(heading is null ? "" : $"<h3>{Escape(heading)}</h3>\n");

    /// <summary>Writes a table with the meaning of each column below it.</summary>
    public static void Table(StringBuilder body, IReadOnlyList<TextColumn> columns, IEnumerable<string[]> rows)
    {
        body.Append("<div class=\"scroll\"><table><thead><tr>");
        body.AppendJoin("", columns.Select(column => $"<th scope=\"col\">{Escape(column.Name)}</th>")).Append("</tr></thead><tbody>\n");
        foreach (var row in rows)
        {
            body.Append("<tr>").AppendJoin("", row.Select((cell, i) => i == 0
                ? $"<th scope=\"row\">{Escape(cell)}</th>"
                : $"<td data-label=\"{Escape(columns[i].Name)}\">{Escape(cell)}</td>")).Append("</tr>\n");
        }

        body.Append("</tbody></table></div>\n");
        Sentences(body, "quiet", TextColumn.Legend(columns) is { Length: > 0 } legend ? [legend] : []);
    }

    public static void Sentences(StringBuilder body, string style, IEnumerable<string> sentences)
    {
        foreach (var sentence in sentences)
        {
            body.Append(CultureInfo.InvariantCulture, $"<p class=\"{style}\">{Escape(sentence)}</p>\n");
        }
    }

    public static void Thresholds(StringBuilder body, string heading, IReadOnlyList<ThresholdResult> thresholds)
    {
        Heading(body, heading);
        body.Append("<ul class=\"thresholds\">");
        foreach (var threshold in thresholds)
        {
            body.Append(CultureInfo.InvariantCulture,
                $"<li class=\"{(threshold.Holds ? "holds" : "broken")}\"><b>{(threshold.Holds ? "✓ holds" : "✗ broken")}</b> "
                    + $"<code>{Escape(threshold.Expression)}</code> {Escape(ThresholdText.Actual(threshold))}</li>");
        }

        body.Append("</ul>\n");
    }
}
