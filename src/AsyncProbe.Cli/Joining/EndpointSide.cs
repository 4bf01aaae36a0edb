using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Joining;

/// <summary>
/// What happened at one endpoint of the server during the run: the difference between the snapshots at its start and end.
/// </summary>
internal sealed record EndpointSide
{
    public required string Endpoint { get; init; }
    public required long Requests { get; init; }
    public required long FromCache { get; init; }
    public required TimeSums HeldMs { get; init; }
    public required TimeSums CpuMs { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required TimeSums CpuWaitMs { get; init; }
    public required TimeSums GcMs { get; init; }

    /// <summary>The part of the blocked time in which the server's garbage collector paused it; null from an older server.</summary>
    public TimeSums? BlockedInGcMs { get; init; }

    /// <summary>
    /// How much of a request's blocked time without a known place the garbage collector or a crowd of requests may account for, as in the
    /// server's advice; null without a verdict.
    /// </summary>
    public double? UnclearMs { get; init; }

    /// <summary>The endpoint's share of the requests per second that the client got answered.</summary>
    public double? ReachedPerSecond { get; init; }

    /// <summary>Calculated from this row's figures, like the verdict and the advice.</summary>
    public CeilingFigures? CeilingPerSecond { get; init; }
    public required string? WorstSite { get; init; }
    public required string? WorstSiteKind { get; init; }

    /// <summary>How much the worst site's figures cover; null when no site is known.</summary>
    public SiteCoverage? WorstSiteIs { get; init; }

    /// <summary>How much of a request's blocked time was seen there; null when other endpoints share the site.</summary>
    public double? WorstSiteMs { get; init; }

    /// <summary>Whether requests were watched, so that the lack of a site means that they had no managed wait.</summary>
    public bool LookedAt { get; init; }
    public string? Verdict { get; init; }
    public string? Advice { get; init; }
}
