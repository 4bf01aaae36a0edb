using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>The table of medians and ratios, and a bar for each session's throughput.</summary>
internal static class HtmlComparison
{
    public static void Write(StringBuilder body, ComparisonResult comparison)
    {
        body.Append(CultureInfo.InvariantCulture, $"<section><p class=\"quiet\">{HtmlParts.Escape(ComparisonText.Heading(comparison))}</p>\n");
        Bars(body, comparison);
        HtmlParts.Table(body, ComparisonText.Head(comparison), ComparisonText.Rows(comparison));
        HtmlParts.Sentences(body, "quiet", [ComparisonText.Legend(comparison)]);
        HtmlParts.Sentences(body, "", comparison.Predictions);
        HtmlParts.Sentences(body, "warning", comparison.Warnings);
        HtmlParts.Thresholds(body, comparison.Thresholds);
        body.Append("</section>\n");
    }

    /// <summary>On a logarithmic scale, because blocked and cached lie three powers of ten apart.</summary>
    private static void Bars(StringBuilder body, ComparisonResult comparison)
    {
        var rates = comparison.Sessions.Select(session => Math.Max(0.1, session.Figures[0].Median ?? 0.1)).ToList();
        var (low, high) = (Math.Log10(Math.Min(1, rates.Min())), Math.Log10(rates.Max()));
        body.Append("<div class=\"bars\">");
        foreach (var (session, rate) in comparison.Sessions.Zip(rates))
        {
            var width = Math.Max(2, (Math.Log10(rate) - low) / Math.Max(0.1, high - low) * 100);
            body.Append(CultureInfo.InvariantCulture,
                $"<div><span>{HtmlParts.Escape(session.Name)}</span><span class=\"bar\"><i style=\"width:{width:0.#}%\"></i></span><b>{FigureText.Rate(session.Figures[0].Median)}/s</b></div>");
        }

        body.Append("<p class=\"quiet\">requests a second, logarithmic</p></div>\n");
    }
}
