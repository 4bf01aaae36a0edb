namespace AsyncProbe.Cli.Server;

/// <summary>The server's half of the report.</summary>
internal sealed record ServerSide
{
    public required ServerStatus Status { get; init; }
    public string? Url { get; init; }
    public string? Runtime { get; init; }
    public double? ProcessorCount { get; init; }
    public double? PoolThreadsStart { get; init; }
    public double? PoolThreadsMax { get; init; }
    public double? QueueDelayMaxMs { get; init; }
    public double? PendingMax { get; init; }
    public double? BlockedThreadsMax { get; init; }

    /// <summary>The worst that an answer during the measured time told.</summary>
    public string? WorstState { get; init; }
    public string? WorstCause { get; init; }

    /// <summary>In the last answer.</summary>
    public string? State { get; init; }
    public string? Cause { get; init; }

    /// <summary>False when the server answered no more after the run: then all figures end with its last answer.</summary>
    public bool EndAnswered { get; init; }

    /// <summary>Seconds since the load began.</summary>
    public double LastAnswerAt { get; init; }
    public int Polls { get; init; }
    public int PollsWithoutAnswer { get; init; }
    public int PollsRefused { get; init; }
    public int PollsReset { get; init; }
    public int PollsTimedOut { get; init; }

    /// <summary>The server did not answer at the end of the warm-up.</summary>
    public bool CountsHoldWarmup { get; init; }
    public double LongestSilenceMs { get; init; }
    public IReadOnlyList<EndpointSide> Endpoints { get; init; } = [];
    public IReadOnlyList<SiteSide> Sites { get; init; } = [];

    /// <summary>Of the endpoints that were met, also where no request of this run was looked at.</summary>
    public IReadOnlyList<KnownSite> KnownSites { get; init; } = [];

    /// <summary>Those of them that a baseline did not have; null without a baseline.</summary>
    public IReadOnlyList<KnownSite>? NewSites { get; init; }
    public IReadOnlyList<ServerSecond> Seconds { get; init; } = [];

    /// <summary>Sentences about what the polls themselves met.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    public static ServerSide Without(ServerStatus status, string? url) => new() { Status = status, Url = url };
}
