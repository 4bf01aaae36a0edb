namespace AsyncProbe.Analyzers.Reports;

/// <summary>The call sites of a report file, or why it cannot be used.</summary>
internal sealed class ReportFile(IReadOnlyList<ReportedSite> sites, string? problem = null, int position = 0)
{
    public static ReportFile None { get; } = new([]);

    public IReadOnlyList<ReportedSite> Sites => sites;

    /// <summary>A sentence; null without a problem.</summary>
    public string? Problem => problem;

    /// <summary>Where in the text the problem is.</summary>
    public int Position => position;
}
