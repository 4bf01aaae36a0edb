namespace AsyncProbe.Cli.Load;

/// <summary>The self-check: whether the figures reflect the server or the tool itself.</summary>
internal sealed record ClientFigures
{
    /// <summary>The share of all cores, 0 to 1.</summary>
    public double CpuShare { get; init; }
    public double GcPauseShare { get; init; }
    public double PoolDelayP99Ms { get; init; }

    /// <summary>Open model: the delay after the planned start within which 99 % of the requests were sent.</summary>
    public double? SendLagP99Ms { get; init; }

    /// <summary>Little's law: requests per second times the mean time of a request.</summary>
    public double InFlightByLittle { get; init; }

    /// <summary>How many requests the closed model should keep in flight; any shortfall is time spent inside the tool.</summary>
    public double? InFlightWanted { get; init; }
    public long PeakMemoryBytes { get; init; }

    /// <summary>Reasons why the tool, not the server, may have limited the figures; empty when there are none.</summary>
    public IReadOnlyList<string> Limits { get; init; } = [];
}
