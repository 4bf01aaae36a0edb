using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>One entry of the server's own per-second history.</summary>
internal sealed record PoolMoment(
    DateTimeOffset? At, double? Threads, double? Pending, double? Busy, double? QueueDelayMs, double? BlockedThreads, double? CpuPercent)
{
    public static PoolMoment Read(JsonElement entry) => new(
        entry.Time("at"), entry.Number("threads"), entry.Number("pending"), entry.Number("busy"),
        entry.Number("queueDelayMs"), entry.Number("blockedThreads"), entry.Number("cpuPercent"));
}
