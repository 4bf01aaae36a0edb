using System.Diagnostics;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>Starts the test server with the add-on, in its own process.</summary>
internal static class SnapshotProcess
{
    private static readonly string[] s_arguments =
        ["--snapshots", "true", "--AsyncProbe:StackSnapshots:Interval=00:00:01", "--AsyncProbe:AllowSnapshotRequests=true"];

    public static Task<ServerProcess> StartAsync(params string[] arguments) => ServerProcess.StartAsync([.. s_arguments, .. arguments]);

    public static Task<ServerProcess> StartAsync(Action<ProcessStartInfo> configure) => ServerProcess.StartAsync(configure, s_arguments);
}
