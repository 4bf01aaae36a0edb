using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Held time or a part of it, as a metric.</summary>
/// <param name="name">The name on the meter.</param>
/// <param name="description">One sentence.</param>
/// <param name="read">Reads the part.</param>
/// <param name="isAvailable">Whether the part can be measured. If not, nothing is recorded; 0 would be wrong.</param>
internal sealed class HeldPart(string name, string description, Func<HeldSplit, Duration> read, Func<bool> isAvailable)
{
    public MetricDefinition Metric { get; } = new(MetricType.Histogram, name, "s", description);

    public bool IsAvailable => isAvailable();

    public Duration Of(HeldSplit split) => read(split);

    /// <param name="unit">The part of the metric names between <c>asyncprobe</c> and the figure.</param>
    /// <param name="who">What holds the threads, for the descriptions: "a request", for example.</param>
    public static HeldPart[] CreateAll(string unit, string who) =>
    [
        new($"asyncprobe.{unit}.held", $"How long {who} held pool threads.",
            static split => split.Held, static () => !ThreadClock.IsWithdrawn),
        new($"asyncprobe.{unit}.cpu", $"CPU time of {who} on pool threads.",
            static split => split.Cpu, static () => ThreadClock.HasCpu),
        new($"asyncprobe.{unit}.cpu_wait", $"How long {who} held pool threads that were ready and had no core.",
            static split => split.CpuWait, static () => ThreadClock.HasCpuWait),
        new($"asyncprobe.{unit}.gc", $"How long {who} held pool threads that the garbage collector had paused.",
            static split => split.Gc, static () => ThreadClock.HasCpu),
        new($"asyncprobe.{unit}.blocked", $"How long {who} held pool threads that did nothing.",
            static split => split.Blocked, static () => ThreadClock.HasCpu),
    ];
}
