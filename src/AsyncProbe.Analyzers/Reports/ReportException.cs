namespace AsyncProbe.Analyzers.Reports;

/// <summary>A report cannot be used. This exception never leaves <see cref="ReportReader"/>.</summary>
internal sealed class ReportException(string message, int position) : Exception(message)
{
    /// <summary>Where in the text the problem is.</summary>
    public int Position => position;
}
