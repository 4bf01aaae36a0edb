using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Observation;

/// <summary>One replica and what it did in the observed time.</summary>
internal sealed record ReplicaSide
{
    public required string Name { get; init; }

    /// <summary>Why it has no figures; null when it has some.</summary>
    public string? Problem { get; init; }

    /// <summary>The time that its figures cover, by its own clock.</summary>
    public double Seconds { get; init; }
    public long Requests { get; init; }

    /// <summary>How many of all polls only the lifeline answered.</summary>
    public int LifelineAnswers { get; init; }
    public required ServerSide Server { get; init; }

    public bool IsObserved => Server.Status == ServerStatus.Joined;

    public double RequestsPerSecond => Seconds > 0 ? Math.Round(Requests / Seconds, 3) : 0;
}
