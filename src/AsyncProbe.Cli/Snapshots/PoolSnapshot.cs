using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>The server's pool at one moment.</summary>
internal sealed record PoolSnapshot
{
    public required double? Threads { get; init; }
    public required double? Busy { get; init; }
    public required double? Min { get; init; }
    public required double? Max { get; init; }
    public required double? Pending { get; init; }
    public required double? QueueDelayMs { get; init; }
    public required string? State { get; init; }
    public required string? Cause { get; init; }

    /// <summary>Where the last stack snapshot found threads that don't run a known request.</summary>
    public IReadOnlyList<UnclaimedSnapshot> Unclaimed { get; init; } = [];

    /// <summary>An unknown state counts as no problem, because it can't be compared.</summary>
    public int Severity => State switch { "starved" => 2, "queueing" => 1, _ => 0 };

    public static PoolSnapshot Read(JsonElement pool)
    {
        var workers = pool.Child("workers");
        return new()
        {
            Threads = pool.Number("threads"),
            Busy = workers.Number("busy"),
            Min = workers.Number("min"),
            Max = workers.Number("max"),
            Pending = pool.Number("pending"),
            QueueDelayMs = pool.Number("queueDelayMs"),
            State = pool.Text("state"),
            Cause = pool.Text("cause"),
            Unclaimed = [.. pool.Child("unclaimed").Items("sites").Select(UnclaimedSnapshot.Read)],
        };
    }
}
