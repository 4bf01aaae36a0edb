namespace AsyncProbe.Analyzers.Reports;

/// <summary>A report that cannot be used. Never leaves the reader.</summary>
internal sealed class ReportException(string message, int position) : Exception(message)
{
    /// <summary>Where in the text.</summary>
    public int Position => position;
}
