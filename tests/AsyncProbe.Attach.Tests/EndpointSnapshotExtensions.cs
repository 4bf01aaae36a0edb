using AsyncProbe.Cli.Server;

namespace AsyncProbe.Attach.Tests;

internal static class EndpointSnapshotExtensions
{
    /// <summary>
    /// How long the threads of an endpoint's requests waited, and at least a part of that without a core. A wait for a task spins first, so on
    /// a busy machine the other part of it is a wait for a core. See docs/blocking.md.
    /// </summary>
    public static double WaitedMs(this EndpointSnapshot row) =>
        row.BlockedMs.Total is > 0 and var blocked ? blocked + (row.CpuWaitMs.Total ?? 0) : 0;
}
