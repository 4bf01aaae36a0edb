using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>An observation as a page: findings, thresholds, endpoints with their held time split, lines, and replicas.</summary>
internal static class HtmlObservation
{
    private const int MostBars = 20;

    public static void Write(StringBuilder body, ObservationResult result)
    {
        body.Append(
            CultureInfo.InvariantCulture,
            $"<section>\n<p class=\"quiet\">begun {result.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm:ss} "
                + $"UTC{(result.Interrupted ? "; interrupted" : "")}</p>\n");
        HtmlParts.Sentences(body, "warning", ObservationText.Problems(result).Concat(result.Findings).Concat(ObservationText.Odd(result)));
        HtmlParts.Thresholds(body, result.Thresholds);
        Endpoints(body, result);
        if (result.Sites.Count > 0)
        {
            body.Append("<h3>Lines</h3>\n");
            Table(body, ObservationText.SiteColumns, result.Sites.Select(ObservationText.Row));
            HtmlParts.Sentences(body, "quiet", ObservationText.HasPartial(result) ? [ServerText.PartialLegend] : []);
        }

        body.Append("<h3>Replicas</h3>\n");
        Table(body, ObservationText.ReplicaColumns, result.Replicas.Select(ObservationText.Row));
        body.Append("</section>\n");
    }

    private static void Endpoints(StringBuilder body, ObservationResult result)
    {
        body.Append("<h3>Endpoints</h3>\n");
        if (result.Endpoints.Count == 0)
        {
            HtmlParts.Sentences(body, "quiet", ["The servers counted no request in this time."]);
            return;
        }

        HtmlServer.SplitLegend(body, ObservationText.EndpointLegend(result));
        var longest = result.Endpoints.Max(row => row.HeldMs.Mean) ?? 0;
        foreach (var row in result.Endpoints.Take(MostBars))
        {
            body.Append(CultureInfo.InvariantCulture, $"<div class=\"bars\"><div><span>{HtmlParts.Escape(row.Endpoint)}</span>");
            HtmlServer.Split(body, longest, row.CpuMs, row.CpuWaitMs, row.GcMs, row.BlockedMs);
            body.Append(CultureInfo.InvariantCulture, $"<b>{FigureText.Ms(row.HeldMs.Mean)} ms</b></div></div>\n");
        }

        Table(body, ObservationText.EndpointColumns, result.Endpoints.Select(ObservationText.Row));
    }

    /// <summary>Writes a table with the meaning of each column below it.</summary>
    private static void Table(StringBuilder body, IReadOnlyList<TextColumn> columns, IEnumerable<string[]> rows)
    {
        HtmlParts.Table(body, [.. columns.Select(column => column.Name)], rows);
        var meanings = columns.Where(column => column.Meaning is not null).Select(column => $"{column.Name}: {column.Meaning}");
        HtmlParts.Sentences(body, "quiet", [string.Join("; ", meanings)]);
    }
}
