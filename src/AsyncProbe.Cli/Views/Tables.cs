using AsyncProbe.Cli.Sessions;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Tables without lines that break in logs: names to the left, numbers to the right.</summary>
internal static class Tables
{
    public static Table Plain(params ReadOnlySpan<string> columns)
    {
        var table = new Table { Border = TableBorder.None, ShowHeaders = true };
        foreach (var name in columns)
        {
            var column = new TableColumn(new Spectre.Console.Text(SafeText.From(name), new Style(decoration: Decoration.Dim))).NoWrap().PadLeft(1).PadRight(1);
            table.AddColumn(table.Columns.Count == 0 ? column.LeftAligned() : column.RightAligned());
        }

        return table;
    }

    public static void AddRow(this Table table, string[] cells) => table.AddRow(cells.Select(cell => new Spectre.Console.Text(SafeText.From(cell))));
}
