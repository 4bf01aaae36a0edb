using System.Net;
using AsyncProbe.StackSnapshots.Tests;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A server whose runtime can't provide snapshots says so once and keeps running.</summary>
[SideBySide]
public sealed class NoDiagnosticsTests
{
    private const string Sleep = "/sleep?ms=1500";

    [Fact]
    public async Task SwitchedOffDiagnostics_AreSaid_AndTheHostRunsOn()
    {
        await using var server = await SnapshotProcess.StartAsync(start => start.Environment["DOTNET_EnableDiagnostics"] = "0");

        await CheckWithoutSnapshotsAsync(server, "stack snapshots: diagnostics are switched off by DOTNET_EnableDiagnostics=0.");
    }

    [Fact]
    public async Task FolderThatCannotBeWritten_IsSaid_AndTheHostRunsOn()
    {
        await using var server = await SnapshotProcess.StartAsync(start => start.Environment["TMPDIR"] = "/proc/");

        await CheckWithoutSnapshotsAsync(server, "stack snapshots: the runtime has no diagnostics socket in /proc/.");
    }

    private static async Task CheckWithoutSnapshotsAsync(ServerProcess server, string sentence)
    {
        using (var slept = await server.Client.GetAsync(new Uri(Sleep, UriKind.Relative)))
        {
            slept.EnsureSuccessStatusCode();
        }

        var probe = (await server.ReportAsync()).GetProperty("probe");
        var (status, answer) = await server.Client.PostAsync();

        probe.GetProperty("notAvailable").EnumerateArray().Select(n => n.GetString()!)
            .ShouldContain(n => n.StartsWith(sentence, StringComparison.Ordinal));
        probe.GetProperty("snapshots").Count("taken").ShouldBe(0);
        status.ShouldBe(HttpStatusCode.ServiceUnavailable);
        answer.GetProperty("error").GetString()!.ShouldStartWith(sentence);
        server.Output.Split('\n').Count(l => l.Contains("Stack snapshots are not possible here", StringComparison.Ordinal)).ShouldBe(1);
        server.Output.ShouldContain(sentence);
    }
}
