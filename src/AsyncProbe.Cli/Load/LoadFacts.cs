using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>Everything a load leaves behind, before figures are calculated from it.</summary>
internal sealed record LoadFacts
{
    public required PreparedSession Prepared { get; init; }
    public required MergedTallies Tallies { get; init; }
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The timestamp at which the load began, including the warm-up.</summary>
    public long Began { get; init; }
    public required TimeSpan Warmup { get; init; }
    public required TimeSpan Measured { get; init; }

    /// <summary>Open model: the later half of the time in which requests were due.</summary>
    public required TimeSpan SettledTime { get; init; }

    /// <summary>The time from the end of the warm-up to the last answer.</summary>
    public required TimeSpan Answered { get; init; }
    public required bool Interrupted { get; init; }
    public required IReadOnlyList<SecondFigures> Seconds { get; init; }
    public required ClientFigures Client { get; init; }
    public required Unanswered Unanswered { get; init; }
    public required int Connections { get; init; }

    public LoadSettings Settings => Prepared.Settings;

    /// <summary>With fewer answers than threads, the measured time says nothing about what the server can do.</summary>
    public bool IsShorterThanRequests =>
        Settings is { IsOpen: false, Once: false, Requests: null } && !Interrupted
        && Tallies.Counted.Sum(tally => tally.EndedInTime) < Settings.Threads;
}
