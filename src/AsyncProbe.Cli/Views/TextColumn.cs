namespace AsyncProbe.Cli.Views;

/// <summary>A column of a table in the terminal.</summary>
/// <param name="Name">Its heading.</param>
/// <param name="Rank">If the terminal is too narrow, the column with the highest rank is left out first; rank 0 always stays.</param>
/// <param name="Meaning">What the legend says about it; null when the heading is enough.</param>
/// <param name="IsText">Whether it is text and left-aligned; figures are right-aligned.</param>
internal sealed record TextColumn(string Name, int Rank = 0, string? Meaning = null, bool IsText = false)
{
    /// <summary>What the columns mean, in one line; empty when all headings are enough.</summary>
    public static string Legend(IEnumerable<TextColumn> columns) =>
        string.Join("; ", columns.Where(column => column.Meaning is not null).Select(column => $"{column.Name}: {column.Meaning}"));
}
