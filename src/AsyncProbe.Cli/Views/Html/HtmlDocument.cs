using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>Writes a document as a section of a page.</summary>
internal static class HtmlDocument
{
    /// <param name="heading">Stands above it; null when the page's title says it.</param>
    public static void Write(StringBuilder body, ReportDocument document, string? heading = null)
    {
        body.Append("<section>\n");
        if (heading is not null)
        {
            body.Append(CultureInfo.InvariantCulture, $"<h2>{HtmlParts.Escape(heading)}</h2>\n");
        }

        foreach (var part in document.FromTheTop)
        {
            Write(body, part);
        }

        body.Append("</section>\n");
    }

    private static void Write(StringBuilder body, DocumentPart part)
    {
        switch (part)
        {
            case SentencesPart sentences:
                HtmlParts.Sentences(body, part.Place == PartPlace.Lead ? "lead" : Class(sentences.Style), sentences.Sentences);
                break;
            case TablePart { Rows: [_, ..] } table:
                HtmlParts.Heading(body, table.Heading);
                HtmlParts.Table(body, table.Columns, table.Rows);
                break;
            case ThresholdsPart { Thresholds: [_, ..] } thresholds:
                HtmlParts.Thresholds(body, thresholds.Heading ?? "Thresholds", thresholds.Thresholds);
                break;
            case CardsPart cards:
                HtmlRun.Cards(body, cards.Run);
                break;
            case ChartsPart charts:
                HtmlRun.Charts(body, charts.Run);
                break;
            case HeldBarsPart bars:
                HtmlBars.Held(body, bars);
                break;
            case RateBarsPart rates:
                HtmlBars.Rates(body, rates.Sessions);
                break;
        }
    }

    private static string Class(SentenceStyle style) => style switch
    {
        SentenceStyle.Quiet or SentenceStyle.Detail => "quiet",
        SentenceStyle.Advice => "advice",
        SentenceStyle.Failure => "failure",
        SentenceStyle.Warning => "warning",
        _ => "",
    };
}
