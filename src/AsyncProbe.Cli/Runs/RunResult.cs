using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Runs;

/// <summary>The final figures of one run: what every view prints, what thresholds are judged on, and what <c>--save</c> writes.</summary>
internal sealed record RunResult() : SavedResult("run")
{
    public required string Session { get; init; }
    public required DateTimeOffset StartedAt { get; init; }
    public bool Interrupted { get; init; }
    public required LoadShape Load { get; init; }
    public required Figures Total { get; init; }
    public required IReadOnlyList<RequestFigures> Requests { get; init; }
    public IReadOnlyList<SecondFigures> Seconds { get; init; } = [];
    public IReadOnlyList<DistributionBar> Distribution { get; init; } = [];
    public required ClientFigures Client { get; init; }
    public required ServerSide Server { get; init; }

    /// <summary>
    /// Requests still without an answer when the run was interrupted or gave up waiting, and planned ones that were never sent; no other
    /// figure includes them.
    /// </summary>
    public int Unanswered { get; init; }
    public double UnansweredOldestMs { get; init; }
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];
    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>How this run differs from one in WebSurge.</summary>
    public IReadOnlyList<string> Differences { get; init; } = [];
}
