using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Observation;

namespace AsyncProbe.Cli.Views;

internal static class MarkdownObservation
{
    public static string Create(ObservationResult result)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"## {MarkdownReport.Escape(ObservationText.Heading(result))}\n\n");
        MarkdownReport.Sentences(text, ObservationText.Problems(result).Concat(result.Findings).Concat(ObservationText.Odd(result)));
        Table(text, ObservationText.EndpointColumns, result.Endpoints.Select(ObservationText.Row));
        MarkdownReport.Sentences(text, ObservationText.EndpointLegend(result));
        Table(text, ObservationText.SiteColumns, result.Sites.Select(ObservationText.Row));
        MarkdownReport.Sentences(text, ObservationText.HasPartial(result) ? [ServerText.PartialLegend] : []);
        Table(text, ObservationText.ReplicaColumns, result.Replicas.Select(ObservationText.Row));
        MarkdownReport.Thresholds(text, result.Thresholds);
        return text.ToString();
    }

    private static void Table(StringBuilder text, IReadOnlyList<TextColumn> columns, IEnumerable<string[]> rows)
    {
        var all = rows.ToList();
        if (all.Count == 0)
        {
            return;
        }

        MarkdownReport.Head(text, [.. columns.Select(column => column.Name)]);
        all.ForEach(row => MarkdownReport.Row(text, row));
        text.Append('\n');
    }
}
