namespace AsyncProbe.Cli.Statistics;

/// <summary>One second of the run, containing the requests that ended in it. Percentiles here are off by at most 1 %.</summary>
internal sealed record SecondFigures
{
    /// <summary>The end of this second, in seconds since the load began, including the warm-up.</summary>
    public required double At { get; init; }
    public required bool WarmingUp { get; init; }
    public required double RequestsPerSecond { get; init; }
    public required long Failed { get; init; }
    public double? P50Ms { get; init; }
    public double? P95Ms { get; init; }
    public double? P99Ms { get; init; }
}
