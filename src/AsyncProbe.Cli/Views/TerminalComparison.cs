using AsyncProbe.Cli.Comparison;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Medians side by side, each later session with its ratio to the first.</summary>
internal static class TerminalComparison
{
    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    public static void Write(ComparisonResult comparison, IAnsiConsole console)
    {
        console.WriteLine();
        console.Line(ComparisonText.Heading(comparison), s_dim);
        WriteTable(comparison, console);
        console.Line(ComparisonText.Legend(comparison), s_dim);
        console.WriteLine();
        foreach (var prediction in comparison.Predictions)
        {
            console.Line(prediction);
        }

        foreach (var warning in comparison.Warnings)
        {
            console.Line("! " + warning, new Style(Color.Yellow));
        }

        console.Line(comparison.Conclusion, new Style(decoration: Decoration.Bold));
        TerminalReport.WriteThresholds(comparison.Thresholds, console);
    }

    /// <summary>Writes one table if it fits, otherwise one for each later session.</summary>
    private static void WriteTable(ComparisonResult comparison, IAnsiConsole console)
    {
        var all = Table(comparison, [.. comparison.Sessions.Skip(1)], named: true);
        if (all.Fits(console.Profile.Width))
        {
            all.Write(console);
            return;
        }

        for (var i = 1; i < comparison.Sessions.Count; i++)
        {
            var pair = Table(comparison, [comparison.Sessions[i]], named: true);
            var fits = pair.Fits(console.Profile.Width);
            if (!fits)
            {
                console.Line($"A: {comparison.Sessions[0].Name}, B: {comparison.Sessions[i].Name}", s_dim);
            }

            (fits ? pair : Table(comparison, [comparison.Sessions[i]], named: false)).Write(console);
        }
    }

    private static FittedTable Table(ComparisonResult comparison, IReadOnlyList<ComparedSession> later, bool named)
    {
        var columns = later.SelectMany(session => new TextColumn[]
        {
            new(named ? session.Name : "B"), new(named ? ComparisonText.Against(comparison) : "B against A", IsText: true),
        });
        var table = new FittedTable([new(ComparisonText.FirstColumn), new(named ? comparison.Sessions[0].Name : "A"), .. columns]);
        foreach (var row in ComparisonText.Rows(comparison, later))
        {
            table.Add(row);
        }

        return table;
    }
}
