namespace AsyncProbe.Cli.Load;

/// <summary>The self-check: whether the figures are the server's or the tool's own.</summary>
internal sealed record ClientFigures
{
    /// <summary>Of all cores, 0 to 1.</summary>
    public double CpuShare { get; init; }
    public double GcPauseShare { get; init; }
    public double PoolDelayP99Ms { get; init; }

    /// <summary>Open model: 99 % of the requests left within this after their planned start.</summary>
    public double? SendLagP99Ms { get; init; }

    /// <summary>Little's law: requests a second times the mean time of one.</summary>
    public double InFlightByLittle { get; init; }

    /// <summary>How many the closed model should keep in flight; what is missing was spent inside the tool.</summary>
    public double? InFlightWanted { get; init; }
    public long PeakMemoryBytes { get; init; }

    /// <summary>Why the tool, not the server, may have set the figures; empty when it did not.</summary>
    public IReadOnlyList<string> Limits { get; init; } = [];
}
