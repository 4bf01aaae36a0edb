using System.Text;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>The rows as Markdown, for docs/catalogue.md.</summary>
internal static class SlowTable
{
    /// <summary>
    /// A line for each row. The tests here check .NET 10's columns without the hook; AsyncProbe.Runtimes.Tests check the others with it.
    /// </summary>
    public static string Full()
    {
        var table = new StringBuilder(
            "| blocks | kind | first | later | library | .NET 9 | .NET 8 | runtime async | Wine |\n|---|---|---|---|---|---|---|---|---|\n");
        foreach (var row in SlowRow.All)
        {
            table.Append("| `").Append(row.Code).Append("` | ").Append(row.Kind).Append(" | sampled | sampled | sampled | ")
                .AppendJoin(" | ", Enumerable.Repeat(Found(row, isWindows: false), 3)).Append(" | ")
                .Append(Found(row, isWindows: true)).Append(" |\n");
        }

        return table.ToString();
    }

    private static string Found(SlowRow row, bool isWindows) => row.IsSeenByTheHook(isWindows) ? "named" : "sampled";
}
