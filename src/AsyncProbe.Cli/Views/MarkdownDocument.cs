using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes a document as Markdown, for pull requests and build summaries.</summary>
internal static class MarkdownDocument
{
    private const string Broken = "✗ **no**";

    private static readonly TextColumn[] s_thresholdColumns = [new("threshold"), new("actual"), new("holds", IsText: true)];

    public static string Create(ReportDocument document)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"## {MarkdownText.Escape(document.Title)}\n\n");
        foreach (var part in document.FromTheTop)
        {
            Write(text, part);
        }

        return text.ToString();
    }

    private static void Write(StringBuilder text, DocumentPart part)
    {
        switch (part)
        {
            case SentencesPart { Sentences: [_, ..] sentences, Style: var style }:
                var isParagraph = part.Place <= PartPlace.Head || style == SentenceStyle.Plain;
                foreach (var sentence in sentences)
                {
                    text.Append(isParagraph ? "" : "- ").Append(MarkdownText.Escape(sentence)).Append(isParagraph ? "\n\n" : "\n");
                }

                text.Append(isParagraph ? "" : "\n");
                break;
            case TablePart { Rows: [_, ..] } table:
                Heading(text, table.Heading);
                Table(text, table.Columns, table.Rows);
                text.Append(TextColumn.Legend(table.Columns) is { Length: > 0 } legend ? $"- {MarkdownText.Escape(legend)}\n\n" : "");
                break;
            case ThresholdsPart { Thresholds: [_, ..] } thresholds:
                Heading(text, thresholds.Heading);
                Table(text, s_thresholdColumns, thresholds.Thresholds.Select(threshold => new[]
                {
                    threshold.Expression, ThresholdText.Actual(threshold), threshold.Holds ? "✓" : Broken,
                }));
                break;
        }
    }

    private static void Heading(StringBuilder text, string? heading) =>
        text.Append(heading is null ? "" : $"### {MarkdownText.Escape(heading)}\n\n");

    private static void Table(StringBuilder text, IReadOnlyList<TextColumn> columns, IEnumerable<string[]> rows)
    {
        Row(text, columns.Select(column => column.Name));
        text.Append('|').AppendJoin("", columns.Select((column, i) => i == 0 || column.IsText ? "---|" : "---:|")).Append('\n');
        foreach (var row in rows)
        {
            Row(text, row);
        }

        text.Append('\n');
    }

    private static void Row(StringBuilder text, IEnumerable<string> cells) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(cell => cell == Broken ? cell : MarkdownText.Escape(cell))).Append(" |\n");
}
