using AsyncProbe.Cli.Results;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Everything a run leaves behind, before it is made into figures.</summary>
internal sealed record RunFacts
{
    public required Session Session { get; init; }
    public required LoadSettings Settings { get; init; }
    public required PreparedRequest[] Requests { get; init; }
    public required MergedTallies Tallies { get; init; }
    public required DateTimeOffset StartedAt { get; init; }
    public required TimeSpan Warmup { get; init; }
    public required TimeSpan Measured { get; init; }

    /// <summary>From the end of the warm-up to the last answer.</summary>
    public required TimeSpan Answered { get; init; }
    public required bool Interrupted { get; init; }
    public required IReadOnlyList<SecondFigures> Seconds { get; init; }
    public required ClientFigures Client { get; init; }
    public required Unanswered Unanswered { get; init; }
    public required int Connections { get; init; }
    public required ServerSide Server { get; init; }
}
