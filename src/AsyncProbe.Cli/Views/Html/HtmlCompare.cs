using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>
/// The part of the page where a reader can load another report, which compare.js reads in the browser. It stays hidden without scripts. The
/// sentences of <c>compare</c> are written here so that both say the same.
/// </summary>
internal static class HtmlCompare
{
    public static void Write(StringBuilder body) => body.Append(CultureInfo.InvariantCulture, $"""
        <section id="compare" hidden data-requests-needed="{Verdicts.RequestsNeeded}">
        <details><summary>Compare with another report</summary>
        <p><label for="other">An .html or .json file that asyncprobe run has written:</label>
        <input type="file" id="other" accept=".html,.htm,.json"></p>
        <p class="quiet">Or drop it anywhere on this page. The file is read here, in the browser, and sent nowhere.</p>
        <p id="compare-says" role="status"></p>
        <div id="compare-choices"></div>
        <div id="compare-table"></div>
        <p class="quiet" id="compare-legend" hidden>{HtmlParts.Escape(ComparisonText.SingleRound)}</p>
        <p class="quiet" id="compare-low" hidden>{HtmlParts.Escape(FigureText.LowSampleLegend)}</p>
        </details>
        </section>

        """);
}
