namespace AsyncProbe.Reporting.Metrics;

/// <summary>The metrics of held time and its parts.</summary>
/// <param name="unit">The part of the metric names between <c>asyncprobe</c> and the figure.</param>
/// <param name="who">What holds the threads, for the descriptions: "a request", for example.</param>
internal sealed class HeldDefinitions(string unit, string who)
{
    public MetricDefinition Held { get; } = Seconds($"asyncprobe.{unit}.held", $"How long {who} held pool threads.");

    public MetricDefinition Cpu { get; } = Seconds($"asyncprobe.{unit}.cpu", $"CPU time of {who} on pool threads.");

    public MetricDefinition CpuWait { get; } =
        Seconds($"asyncprobe.{unit}.cpu_wait", $"How long {who} held pool threads that were ready and had no core.");

    public MetricDefinition Gc { get; } =
        Seconds($"asyncprobe.{unit}.gc", $"How long {who} held pool threads that the garbage collector had paused.");

    public MetricDefinition Blocked { get; } = Seconds($"asyncprobe.{unit}.blocked", $"How long {who} held pool threads that did nothing.");

    private static MetricDefinition Seconds(string name, string description) => new(MetricType.Histogram, name, "s", description);
}
