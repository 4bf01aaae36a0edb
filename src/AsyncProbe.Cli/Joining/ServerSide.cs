using System.Text.Json.Serialization;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Joining;

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

    /// <summary>The worst state in any answer during the measured time.</summary>
    public string? WorstState { get; init; }
    public string? WorstCause { get; init; }

    /// <summary>The state in the last answer.</summary>
    public string? State { get; init; }
    public string? Cause { get; init; }

    /// <summary>False when the server no longer answered after the run; all figures then end with its last answer.</summary>
    public bool EndAnswered { get; init; }

    /// <summary>Seconds since the load began.</summary>
    public double LastAnswerAt { get; init; }
    public int Polls { get; init; }
    public int PollsWithoutAnswer { get; init; }
    public int PollsRefused { get; init; }
    public int PollsReset { get; init; }
    public int PollsTimedOut { get; init; }

    /// <summary>Whether the counts include a part of the warm-up, because the server didn't answer in time at its end.</summary>
    public bool CountsHoldWarmup { get; init; }

    /// <summary>How long after the measured time began the answer came from which the server's counts begin, in milliseconds.</summary>
    public double CountsBeginAfterMs { get; init; }

    /// <summary>Whether that is long enough to matter.</summary>
    [JsonIgnore]
    public bool CountsBeginLate => CountsBeginAfterMs >= ReportPoller.Late.TotalMilliseconds;

    [JsonIgnore]
    public CountsBegan CountsBegan { get; init; }
    public double LongestSilenceMs { get; init; }
    public IReadOnlyList<EndpointSide> Endpoints { get; init; } = [];
    public IReadOnlyList<SiteSide> Sites { get; init; } = [];

    /// <summary>The sites of the endpoints that the run used, even if none of the run's requests was watched.</summary>
    public IReadOnlyList<KnownSite> KnownSites { get; init; } = [];

    /// <summary>The sites that weren't in the baseline; null without a baseline.</summary>
    public IReadOnlyList<KnownSite>? NewSites { get; init; }
    public IReadOnlyList<ServerSecond> Seconds { get; init; } = [];

    /// <summary>Sentences about the polls themselves.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    public static ServerSide Without(ServerStatus status, string? url) => new() { Status = status, Url = url };
}
