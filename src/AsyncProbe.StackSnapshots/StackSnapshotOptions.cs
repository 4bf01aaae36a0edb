namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Settings of stack snapshots, bound from the configuration section <c>AsyncProbe:StackSnapshots</c> and checked when the host starts.
/// </summary>
public sealed class StackSnapshotOptions
{
    /// <summary>The shortest time between two snapshots that nobody asked for. Default 30 s, from 1 s to 24 h.</summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>For how long a snapshot samples the threads, about once a millisecond. Each sample stops all threads for a moment. The
    /// runtime's session lasts 0.1 s longer. Default 5 ms, from 1 ms to 1 s.</summary>
    public TimeSpan Duration { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>
    /// Whether an endpoint whose blocked time no call site explains is sampled in windows of 0.1 to 0.3 s, so that waits shorter than a
    /// snapshot get a line too. In ten minutes that takes at most 0.5 % of one core, and 2 % of the time. Default true.
    /// </summary>
    public bool SampleUnexplained { get; set; } = true;
}
