using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>Bars whose lengths readers compare. They are linear: half the length is half the figure.</summary>
internal static class HtmlBars
{
    /// <summary>Each endpoint's held time, split.</summary>
    public static void Held(StringBuilder body, HeldBarsPart part)
    {
        HtmlParts.Heading(body, part.Heading);
        if (part.Bars.Count == 0)
        {
            return;
        }

        body.Append("""
            <p class="quiet legend">A request held a pool thread; while it did, it was:
            <span><i class="key cpu"></i>running (cpu)</span><span><i class="key cpuWait"></i>ready, but no core was free (cpuWait)</span>
            <span><i class="key gc"></i>stopped by the garbage collector (gc)</span><span><i class="key blocked"></i>doing nothing (blocked)</span></p>

            """);
        var longest = part.Bars.Max(bar => bar.Held) ?? 0;
        body.Append("<div class=\"bars\">");
        foreach (var bar in part.Bars)
        {
            body.Append(CultureInfo.InvariantCulture, $"<div><span>{HtmlParts.Escape(bar.Endpoint)}</span>");
            Split(body, bar, longest);
            body.Append(CultureInfo.InvariantCulture, $"<b>{FigureText.Ms(bar.Held)} ms</b></div>\n");
        }

        body.Append("</div>\n");
    }

    /// <summary>Each session's throughput.</summary>
    public static void Rates(StringBuilder body, IReadOnlyList<ComparedSession> sessions)
    {
        var most = sessions.Max(session => session.Figures[0].Median) ?? 0;
        body.Append("<p class=\"quiet\">requests a second</p><div class=\"bars\">");
        foreach (var session in sessions)
        {
            var rate = session.Figures[0].Median;
            var width = most > 0 ? (rate ?? 0) / most * 100 : 0;
            body.Append(CultureInfo.InvariantCulture,
                $"<div><span>{HtmlParts.Escape(session.Name)}</span><span class=\"bar\"><i "
                    + $"style=\"width:{width:0.##}%\"></i></span><b>{FigureText.Rate(rate)}</b></div>");
        }

        body.Append("</div>\n");
    }

    // A time of the longest fills the page's width.
    private static void Split(StringBuilder body, HeldBar bar, double longest)
    {
        body.Append("<div class=\"held\" role=\"img\" aria-label=\"held time, split\">");
        foreach (var (kind, ms) in new[] { ("cpu", bar.Cpu), ("cpuWait", bar.CpuWait), ("gc", bar.Gc), ("blocked", bar.Blocked) })
        {
            if (ms > 0 && longest > 0)
            {
                body.Append(
                    CultureInfo.InvariantCulture,
                    $"<span class=\"{kind}\" style=\"width:{ms.Value / longest * 100:0.##}%\" title=\"{kind} {FigureText.Ms(ms)} "
                        + $"ms\"></span>");
            }
        }

        body.Append("</div>\n");
    }
}
