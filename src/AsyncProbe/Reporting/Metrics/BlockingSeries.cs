using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The blocked time of one line in one endpoint, as the metrics count it.</summary>
/// <param name="tags">The line and its endpoint.</param>
internal sealed class BlockingSeries(TagList tags)
{
    private Duration _total;

    /// <summary>The line and its endpoint.</summary>
    public TagList Tags => tags;

    /// <summary>The blocked time since the counts started.</summary>
    public Duration Total => Counter.Read(ref _total);

    /// <summary>How much of the total the meter has already received.</summary>
    public Duration Recorded { get; set; }

    public void Add(Duration more) => Counter.Write(ref _total, _total + more);
}
