using System.Text;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>The catalogue as Markdown.</summary>
internal static class CatalogueTable
{
    /// <summary>A line for each row.</summary>
    /// <param name="found">What was found out about a row in a position.</param>
    public static string Full(Func<CatalogueRow, string, string> found)
    {
        var table = new StringBuilder(
            "| blocks | kind | first | later | library | .NET 9 | .NET 8 | runtime async | Wine |\n|---|---|---|---|---|---|---|---|---|\n");
        foreach (var row in CatalogueRow.All)
        {
            table.Append(Line(row, found)).Append('\n');
        }

        return table.ToString();
    }

    /// <summary>
    /// A row, with the findings for all three positions on the other runtimes and under Wine, which AsyncProbe.Runtimes.Tests check.
    /// </summary>
    /// <param name="row">The row.</param>
    /// <param name="found">What was found out about it in a position.</param>
    public static string Line(CatalogueRow row, Func<CatalogueRow, string, string> found) =>
        $"| `{row.Code}` | {row.Kind ?? "clock"} | {string.Join(" | ", CatalogueApp.Positions.Select(p => found(row, p)))} "
        + $"| {row.Found} | {(row.Code == CatalogueRow.ThreadingLock ? "no such type" : row.Found)} | {row.Found} "
        + $"| {(row.Code == CatalogueRow.HttpClientSend ? "counted" : row.Found)} |";

    /// <summary>A line for each kind.</summary>
    public static string Compact()
    {
        var table = new StringBuilder("| kind | blocks | is |\n|---|---|---|\n");
        foreach (var kind in CatalogueRow.All.GroupBy(r => r.Kind))
        {
            table.Append("| ").Append(kind.Key ?? "none").Append(" | ").AppendJoin(", ", kind.Select(r => $"`{r.Code}`")).Append(" | ")
                .AppendJoin(", ", kind.Select(r => r.Found).Distinct()).Append(" |\n");
        }

        return table.ToString();
    }
}
