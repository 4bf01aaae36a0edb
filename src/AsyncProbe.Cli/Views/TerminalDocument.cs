using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Views.Documents;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes a document to the terminal.</summary>
internal sealed class TerminalDocument
{
    private static readonly Style s_dim = new(decoration: Decoration.Dim);
    private static readonly Style s_failure = new(Color.Red);

    private readonly IAnsiConsole _console;
    private readonly bool _isQuiet;
    private readonly HashSet<string> _shownColumns = [];

    private TerminalDocument(IAnsiConsole console, bool isQuiet) => (_console, _isQuiet) = (console, isQuiet);

    /// <param name="isQuiet">Whether to leave out explanations.</param>
    public static void Write(ReportDocument document, IAnsiConsole console, bool isQuiet = false)
    {
        var terminal = new TerminalDocument(console, isQuiet);
        foreach (var part in document.Parts.Where(part => part.For != PartMedium.Files && !(part.IsExplanation && isQuiet)))
        {
            terminal.Write(part);
        }
    }

    public static void WriteThresholds(IReadOnlyList<ThresholdResult> thresholds, IAnsiConsole console)
    {
        if (thresholds.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.Line("Thresholds");
        var width = thresholds.Max(threshold => threshold.Expression.Length);
        foreach (var threshold in thresholds)
        {
            console.Line(
                $"  {(threshold.Holds ? '✓' : '✗')} {threshold.Expression.PadRight(width)}  {ThresholdText.Actual(threshold)}",
                threshold.Holds ? new Style(Color.Green) : s_failure);
        }
    }

    private void Write(DocumentPart part)
    {
        switch (part)
        {
            case SentencesPart { Sentences: [_, ..] } sentences when sentences.Explains is not { } column || _shownColumns.Contains(column):
                Begin(part);
                foreach (var sentence in sentences.Sentences.Take(part.Most))
                {
                    Write(sentences.Style, sentence);
                }

                break;
            case TablePart { Rows: [_, ..] } table:
                Begin(part);
                Write(table);
                break;
            case ThresholdsPart { Thresholds: [_, ..] } thresholds:
                if (thresholds.Heading is { } heading)
                {
                    _console.WriteLine();
                    _console.Line(heading + ":");
                }

                WriteThresholds(thresholds.Thresholds, _console);
                break;
            case HistogramPart histogram:
                HistogramText.Write(histogram.Bars, _console);
                break;
        }
    }

    private void Begin(DocumentPart part)
    {
        if (part.StartsBlock)
        {
            _console.WriteLine();
        }
    }

    private void Write(SentenceStyle style, string sentence)
    {
        var (text, look) = style switch
        {
            SentenceStyle.Strong => (sentence, new Style(decoration: Decoration.Bold)),
            SentenceStyle.Quiet => (sentence, s_dim),
            SentenceStyle.Detail => ($"  {sentence}", null),
            SentenceStyle.Advice => ($"  {sentence}", s_dim),
            SentenceStyle.Failure => ($"  {sentence}", s_failure),
            SentenceStyle.Warning => ($"! {sentence}", new Style(Color.Yellow)),
            _ => (sentence, null),
        };
        _console.Line(text, look);
    }

    private void Write(TablePart part)
    {
        var table = new FittedTable([.. part.Columns]);
        foreach (var row in part.Rows.Take(part.Most))
        {
            table.Add(row);
        }

        var width = _console.Profile.Width;
        if (part.IfTooWide.Count > 0 && !table.Fits(width))
        {
            foreach (var narrower in part.IfTooWide)
            {
                Write(narrower);
            }

            return;
        }

        if (part.Caption is not null)
        {
            _console.Line(part.Caption, s_dim);
        }

        table.Write(_console, legend: !_isQuiet, namesHidden: true);
        _shownColumns.UnionWith(part.Columns.Select(column => column.Name).Where(column => table.Shows(column, width)));
    }
}
