namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Settings of stack snapshots, bound from the configuration section <c>AsyncProbe:StackSnapshots</c> and checked when the host starts.
/// </summary>
public sealed class StackSnapshotOptions
{
    /// <summary>The shortest time between two automatic snapshots. Default 30 s; allowed from 1 s to 24 h.</summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a snapshot samples the threads, about once a millisecond. Each sample briefly stops all threads. The runtime's session
    /// takes 0.1 s longer. Default 5 ms; allowed from 1 ms to 1 s.
    /// </summary>
    public TimeSpan Duration { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>
    /// Whether to sample an endpoint in windows of 0.1 to 0.3 s if no call site explains its blocked time. This finds the lines of waits
    /// that are shorter than a snapshot. Over ten minutes, it uses at most 0.5 % of one core and samples at most 2 % of the time, and
    /// five times as much in Development. Has an effect only on Linux. Default true.
    /// </summary>
    public bool SampleUnexplained { get; set; } = true;
}
