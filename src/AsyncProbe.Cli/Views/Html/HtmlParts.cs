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

    public static void Lead(StringBuilder body, string title, string? conclusion)
    {
        body.Append(CultureInfo.InvariantCulture, $"<h1>{Escape(title)}</h1>\n");
        if (conclusion is not null)
        {
            body.Append(CultureInfo.InvariantCulture, $"<p class=\"lead\">{Escape(conclusion)}</p>\n");
        }
    }

    public static void Table(StringBuilder body, IReadOnlyList<string> head, IEnumerable<string[]> rows)
    {
        body.Append("<div class=\"scroll\"><table><thead><tr>");
        body.AppendJoin("", head.Select(cell => $"<th scope=\"col\">{Escape(cell)}</th>")).Append("</tr></thead><tbody>\n");
        foreach (var row in rows)
        {
            body.Append("<tr>").AppendJoin("", row.Select((cell, i) => i == 0
                ? $"<th scope=\"row\">{Escape(cell)}</th>"
                : $"<td data-label=\"{Escape(head[i])}\">{Escape(cell)}</td>")).Append("</tr>\n");
        }

        body.Append("</tbody></table></div>\n");
    }

    public static void Sentences(StringBuilder body, string style, IEnumerable<string> sentences)
    {
        foreach (var sentence in sentences)
        {
            body.Append(CultureInfo.InvariantCulture, $"<p class=\"{style}\">{Escape(sentence)}</p>\n");
        }
    }

    public static void Thresholds(StringBuilder body, IReadOnlyList<ThresholdResult> thresholds)
    {
        if (thresholds.Count == 0)
        {
            return;
        }

        body.Append("<h3>Thresholds</h3><ul class=\"thresholds\">");
        foreach (var threshold in thresholds)
        {
            body.Append(CultureInfo.InvariantCulture,
                $"<li class=\"{(threshold.Holds ? "holds" : "broken")}\"><b>{(threshold.Holds ? "✓ holds" : "✗ broken")}</b> "
                    + $"<code>{Escape(threshold.Expression)}</code> {Escape(ThresholdText.Actual(threshold))}</li>");
        }

        body.Append("</ul>\n");
    }
}
