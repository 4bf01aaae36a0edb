namespace AsyncProbe.Cli.Server;

/// <summary>What the run did to one endpoint of the server: differences between the snapshots at its begin and end.</summary>
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
    /// How much of a request's blocked time may as well have been somebody else's doing, as the server's advice has it; null without a
    /// verdict.
    /// </summary>
    public double? UnclearMs { get; init; }

    /// <summary>The endpoint's share of the requests a second that the client saw answered.</summary>
    public double? ReachedPerSecond { get; init; }

    /// <summary>From this row's figures, as the verdict and the advice.</summary>
    public CeilingFigures? CeilingPerSecond { get; init; }
    public required string? WorstSite { get; init; }
    public required string? WorstSiteKind { get; init; }

    /// <summary>What the worst site's figures are worth; null where none is known.</summary>
    public SiteCoverage? WorstSiteIs { get; init; }

    /// <summary>How much of a request's blocked time was seen there; null where other endpoints share the site.</summary>
    public double? WorstSiteMs { get; init; }

    /// <summary>Some of its requests were looked at in any case, so where no site is there was no managed wait.</summary>
    public bool LookedAt { get; init; }
    public string? Verdict { get; init; }
    public string? Advice { get; init; }
}
