using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Attach.Tests;

internal static class EndpointSnapshotExtensions
{
    /// <summary>
    /// How long an endpoint's requests waited while they held a thread; 0 if they were never blocked. A wait for a task spins first, so on a
    /// busy machine a part of it is a wait for a core. See docs/blocking.md.
    /// </summary>
    public static double WaitedMs(this EndpointSnapshot row) =>
        row.BlockedMs.Total is > 0 and var blocked ? blocked + (row.CpuWaitMs.Total ?? 0) : 0;
}
