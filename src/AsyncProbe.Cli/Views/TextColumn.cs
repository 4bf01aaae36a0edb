namespace AsyncProbe.Cli.Views;

/// <summary>A column of a table in the terminal.</summary>
/// <param name="Name">Its heading.</param>
/// <param name="Rank">Where the terminal is too narrow, the column with the highest rank is left out first; 0 always stays.</param>
/// <param name="Meaning">What the legend says of it; null where the heading says it all.</param>
/// <param name="IsText">Words stand to the left, figures to the right.</param>
internal sealed record TextColumn(string Name, int Rank = 0, string? Meaning = null, bool IsText = false);
