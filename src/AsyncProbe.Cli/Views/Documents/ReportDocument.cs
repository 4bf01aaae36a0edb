namespace AsyncProbe.Cli.Views.Documents;

/// <summary>
/// What a result says, part by part, in the terminal's order: a terminal shows its last lines. Every view writes the same tables and
/// sentences; pictures belong to one view.
/// </summary>
internal sealed record ReportDocument(string Title, IReadOnlyList<DocumentPart> Parts)
{
    /// <summary>The parts for readers who begin at the top: what to know before trusting the figures comes first.</summary>
    public IEnumerable<DocumentPart> FromTheTop => Parts.Where(part => part.For != PartMedium.Terminal).OrderBy(part => part.Place);
}
