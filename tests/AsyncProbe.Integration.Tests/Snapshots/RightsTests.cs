using AsyncProbe.StackSnapshots.Tests;
namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A snapshot needs no privileges and no file on the machine.</summary>
[SideBySide]
public sealed class RightsTests
{
    [RootFact]
    public async Task Snapshot_IsTaken_WithoutRights()
    {
        await using var server = await SnapshotProcess.StartAsync(
            start =>
            {
                var command = start.FileName;
                start.FileName = "setpriv";
                new[] { "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--inh-caps=-all", command }.Reverse()
                    .ToList()
                    .ForEach(argument => start.ArgumentList.Insert(0, argument));
            });

        await CheckSnapshotAsync(server);
    }

    [Fact]
    public async Task Snapshot_WritesNoFile()
    {
        var folder = Directory.CreateTempSubdirectory("asyncprobe-files-").FullName;
        try
        {
            await using var server = await SnapshotProcess.StartAsync(start => start.Environment["TMPDIR"] = folder);
            using var watcher = new FileSystemWatcher(folder) { IncludeSubdirectories = true };
            List<string> written = [];
            watcher.Created += (_, e) => written.Add(e.Name ?? "");
            watcher.EnableRaisingEvents = true;

            await CheckSnapshotAsync(server);

            written.ShouldBeEmpty();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task CheckSnapshotAsync(ServerProcess server)
    {
        // Sleeps until the server is killed: how many snapshots it takes to see the sleep depends on the machine.
        _ = server.Client.GetAsync(new Uri("/sleep?ms=60000", UriKind.Relative));

        var found = await server.Client.FindAsync("GET /sleep");

        found.GetProperty("kind").GetString().ShouldBe("Sleep");
        found.GetProperty("line").GetInt32().ShouldBeGreaterThan(0);
    }
}
