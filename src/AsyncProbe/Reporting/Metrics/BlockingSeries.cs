using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The blocked time of one line in one endpoint, as the metrics count it.</summary>
/// <param name="tags">Which line, and whose.</param>
internal sealed class BlockingSeries(TagList tags)
{
    private Duration _total;

    /// <summary>Which line, and whose.</summary>
    public TagList Tags => tags;

    /// <summary>Since the counts started.</summary>
    public Duration Total => Counter.Read(ref _total);

    /// <summary>How much of it the meter has got.</summary>
    public Duration Recorded { get; set; }

    public void Add(Duration more) => Counter.Write(ref _total, _total + more);
}
