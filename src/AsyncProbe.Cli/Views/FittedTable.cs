using AsyncProbe.Cli.Sessions;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace AsyncProbe.Cli.Views;

/// <summary>
/// A table that is at most as wide as the terminal. Columns that don't fit are left out completely, and the legend names them. A name that
/// is too long gets a line of its own above its figures. A figure is never split across two lines.
/// </summary>
internal sealed class FittedTable(params TextColumn[] columns)
{
    private const int Gap = 2;

    /// <summary>Names may take up this share of the width before a column is left out for them.</summary>
    private const double NameShare = 0.35;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    private readonly List<string[]> _rows = [];

    public void Add(params string[] cells) => _rows.Add([.. cells.Select(SafeText.From)]);

    /// <summary>Whether every column fits.</summary>
    public bool Fits(int width) => Longest(0) + Others([.. Enumerable.Range(0, columns.Length)]) <= width;

    /// <summary>Whether a column is shown in this width.</summary>
    public bool Shows(string column, int width) => Shown(width).Exists(shown => columns[shown].Name == column);

    /// <param name="legend">Whether to explain the columns.</param>
    /// <param name="namesHidden">Whether to list the columns that didn't fit even without a legend.</param>
    public void Write(IAnsiConsole console, bool legend = true, bool namesHidden = false)
    {
        var width = console.Profile.Width;
        var shown = Shown(width);
        var widths = shown.ConvertAll(Longest);
        widths[0] = Math.Min(widths[0], Math.Max(1, width - Others(shown)));
        console.Line(Row(shown, widths, column => columns[column].Name), s_dim);
        foreach (var cells in _rows)
        {
            if (Cells(cells[0]) > widths[0])
            {
                console.Line(cells[0]);
                console.Line(Row(shown, widths, column => column == 0 ? "" : cells[column]));
            }
            else
            {
                console.Line(Row(shown, widths, column => cells[column]));
            }
        }

        if (legend || namesHidden)
        {
            Legend(console, shown, legend);
        }
    }

    private void Legend(IAnsiConsole console, List<int> shown, bool withMeanings)
    {
        var text = withMeanings ? TextColumn.Legend(shown.Select(column => columns[column])) : "";
        var hidden = columns.Where((column, i) => !shown.Contains(i)).Select(column => column.Name).ToList();
        var left = hidden.Count == 0 ? "" : $"Too narrow to show: {string.Join(", ", hidden)}.";
        if (text.Length + left.Length > 0)
        {
            console.Line(string.Join(" ", new[] { text.Length == 0 ? "" : text + ".", left }.Where(part => part.Length > 0)), s_dim);
        }
    }

    private List<int> Shown(int width)
    {
        var shown = Enumerable.Range(0, columns.Length).ToList();
        while (Math.Min(Longest(0), (int)(width * NameShare)) + Others(shown) > width)
        {
            var next = shown.Where(column => columns[column].Rank > 0).OrderByDescending(column => columns[column].Rank).FirstOrDefault(-1);
            if (next < 0)
            {
                break;
            }

            shown.Remove(next);
        }

        return shown;
    }

    /// <summary>The width of all columns except the first.</summary>
    private int Others(List<int> shown) => shown.Skip(1).Sum(column => Gap + Longest(column));

    private int Longest(int column) => Math.Max(Cells(columns[column].Name), _rows.Count == 0 ? 0 : _rows.Max(row => Cells(row[column])));

    private string Row(List<int> shown, List<int> widths, Func<int, string> cell)
    {
        var parts = shown.Select((column, i) =>
        {
            var text = cell(column);
            var blanks = new string(' ', Math.Max(0, widths[i] - Cells(text)));
            return column == 0 || columns[column].IsText ? text + blanks : blanks + text;
        });
        return string.Join(new string(' ', Gap), parts).TrimEnd();
    }

    private static int Cells(string text) => new Segment(text).CellCount();
}
