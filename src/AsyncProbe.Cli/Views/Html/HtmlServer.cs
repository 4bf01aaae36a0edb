using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>The server's half: each endpoint's held time as a split bar, its ceiling, and what blocked.</summary>
internal static class HtmlServer
{
    private const int MostSites = 20;

    public static void Write(StringBuilder body, ServerSide server)
    {
        body.Append("<h3>Server</h3>\n");
        if (server.Status != ServerStatus.Joined)
        {
            HtmlParts.Sentences(body, "quiet", [ServerText.Absence(server)]);
            return;
        }

        HtmlParts.Sentences(body, "quiet", [ServerText.Pool(server)]);
        if (server.Endpoints.Count > 0)
        {
            SplitLegend(
                body,
                server.Endpoints.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs)) ? [ServerText.NoCpuWaitLegend] : []);
        }

        var longest = server.Endpoints.Max(row => row.HeldMs.Mean) ?? 0;
        foreach (var row in server.Endpoints)
        {
            Endpoint(body, row, longest);
        }

        if (server.Sites.Count > 0)
        {
            HtmlParts.Table(body, ["blocked at", "kind", "times", "ms each", "ms total", "endpoints"],
                server.Sites.Take(MostSites).Select(site => new[]
            {
                site.At + (site.Via is null ? "" : $" via {site.Via}"),
                site.Kind + (site.Allowed is null ? "" : $", allowed: {site.Allowed}"), ServerText.Times(site),
                FigureText.Ms(site.BlockedMs.Mean), FigureText.Ms(site.BlockedMs.Total), string.Join(", ", site.Endpoints),
            }));
            HtmlParts.Sentences(body, "quiet", ServerText.Legend(server.Sites.Take(MostSites)));
        }
    }

    /// <param name="body">Where to write.</param>
    /// <param name="more">Anything else that readers of the bars need to know.</param>
    public static void SplitLegend(StringBuilder body, IEnumerable<string> more)
    {
        body.Append("""
            <p class="quiet legend">A request held a pool thread; while it did, it was:
            <span><i class="key cpu"></i>running (cpu)</span><span><i class="key cpuWait"></i>ready, but no core was free (cpuWait)</span>
            <span><i class="key gc"></i>stopped by the garbage collector (gc)</span><span><i class="key blocked"></i>doing nothing (blocked)</span></p>

            """);
        HtmlParts.Sentences(body, "quiet", more);
    }

    /// <summary>Draws the parts of the mean request as a bar; a time of <paramref name="longest"/> fills the page's width.</summary>
    public static void Split(StringBuilder body, double longest, TimeSums cpu, TimeSums cpuWait, TimeSums gc, TimeSums blocked)
    {
        body.Append("<div class=\"held\" role=\"img\" aria-label=\"held time, split\">");
        foreach (var (kind, ms) in new[] { ("cpu", cpu.Mean), ("cpuWait", cpuWait.Mean), ("gc", gc.Mean), ("blocked", blocked.Mean) })
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

    private static void Endpoint(StringBuilder body, EndpointSide row, double longest)
    {
        body.Append(
            CultureInfo.InvariantCulture,
            $"<div class=\"endpoint\"><h4>{HtmlParts.Escape(row.Endpoint)} "
                + $"<span>{HtmlParts.Escape(ServerText.Verdict(row))}</span></h4>\n");
        Split(body, longest, row.CpuMs, row.CpuWaitMs, row.GcMs, row.BlockedMs);
        body.Append(CultureInfo.InvariantCulture, $"""
            <p>held <b>{FigureText.Ms(row.HeldMs.Mean)} ms</b> a request = <i class="cpu"></i>cpu {FigureText.Ms(row.CpuMs.Mean)} + <i class="cpuWait"></i>cpuWait {FigureText.Ms(row.CpuWaitMs.Mean)}
            + <i class="gc"></i>gc {FigureText.Ms(row.GcMs.Mean)} + <i class="blocked"></i>blocked {FigureText.Ms(row.BlockedMs.Mean)};
            {FigureText.Number(row.Requests)} requests{(row.FromCache > 0 ? $", {FigureText.Number(row.FromCache)} from the cache" : "")}; ceiling {FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh)} a second,
            reached {FigureText.Rate(row.ReachedPerSecond)},
            if async {FigureText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh)}</p>

            """);
        if (WorstSiteText.NeedsPlace(row))
        {
            body.Append(CultureInfo.InvariantCulture, $"<p>blocked at <code>{HtmlParts.Escape(WorstSiteText.Where(row))}</code></p>\n");
        }

        HtmlParts.Sentences(body, "advice", row.Advice is { Length: > 0 } advice ? [advice] : []);
        body.Append("</div>\n");
    }
}
