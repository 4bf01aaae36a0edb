using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>The table of medians and ratios, with a bar for each session's throughput.</summary>
internal static class HtmlComparison
{
    public static void Write(StringBuilder body, ComparisonResult comparison)
    {
        body.Append(
            CultureInfo.InvariantCulture, $"<section><p class=\"quiet\">{HtmlParts.Escape(ComparisonText.Heading(comparison))}</p>\n");
        Bars(body, comparison);
        HtmlParts.Table(body, ComparisonText.Head(comparison), ComparisonText.Rows(comparison));
        HtmlParts.Sentences(body, "quiet", [ComparisonText.Legend(comparison)]);
        HtmlParts.Sentences(body, "", comparison.Predictions);
        HtmlParts.Sentences(body, "warning", comparison.Warnings);
        HtmlParts.Thresholds(body, comparison.Thresholds);
        body.Append("</section>\n");
    }

    /// <summary>Linear, because readers compare lengths: half the length is half the rate.</summary>
    private static void Bars(StringBuilder body, ComparisonResult comparison)
    {
        var most = comparison.Sessions.Max(session => session.Figures[0].Median) ?? 0;
        body.Append("<p class=\"quiet\">requests a second</p><div class=\"bars\">");
        foreach (var session in comparison.Sessions)
        {
            var rate = session.Figures[0].Median;
            var width = most > 0 ? (rate ?? 0) / most * 100 : 0;
            body.Append(CultureInfo.InvariantCulture,
                $"<div><span>{HtmlParts.Escape(session.Name)}</span><span class=\"bar\"><i "
                    + $"style=\"width:{width:0.##}%\"></i></span><b>{FigureText.Rate(rate)}</b></div>");
        }

        body.Append("</div>\n");
    }
}
