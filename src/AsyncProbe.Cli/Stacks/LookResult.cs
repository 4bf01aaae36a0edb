using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Stacks;

/// <summary>Where a process's pool threads were blocked, seen from outside.</summary>
internal sealed record LookResult() : SavedResult("look")
{
    public DateTimeOffset StartedAt { get; init; }
    public LookedProcess Process { get; init; } = new();
    public double Seconds { get; init; }

    /// <summary>How long stacks were sampled during that time.</summary>
    public required double SampledMs { get; init; }
    public required int Windows { get; init; }

    /// <summary>The average number of pool threads that ran work.</summary>
    public required double BusyThreads { get; init; }

    /// <summary>The average number of those that were blocked at one of the lines.</summary>
    public required double BlockedThreads { get; init; }

    /// <summary>The most blocked first.</summary>
    public required IReadOnlyList<BlockedLine> Lines { get; init; }
}
