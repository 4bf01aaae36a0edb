using AsyncProbe.Cli.Comparison;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Medians side by side, each later session with its ratio to the first.</summary>
internal static class TerminalComparison
{
    private static readonly Style Dim = new(decoration: Decoration.Dim);

    public static void Write(ComparisonResult comparison, IAnsiConsole console)
    {
        console.WriteLine();
        console.Line(ComparisonText.Heading(comparison), Dim);
        string[] columns = ["median of rounds", .. comparison.Sessions.Select((session, i) => i == 0 ? session.Name : $"{session.Name} (ratio)")];
        var table = Tables.Plain(columns);
        foreach (var row in ComparisonText.Rows(comparison))
        {
            table.AddRow(row);
        }

        console.Write(table);
        console.Line(ComparisonText.Legend(comparison), Dim);
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
}
