using System.Net;
using System.Text.Json;
using AsyncProbe.Tests;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>
/// Snapshots of a server in a process of its own: starved, deadlocked, without diagnostics, without a folder, without rights.
/// </summary>
public sealed class ProcessTests
{
    private const string Sleep = "/sleep?ms=1500";

    private static string[] Arguments { get; } =
        ["--snapshots", "true", "--AsyncProbe:StackSnapshots:Interval=00:00:01", "--AsyncProbe:AllowSnapshotRequests=true"];

    [Fact]
    public async Task Starvation_NamesTheLineThatSleeps()
    {
        await using var server = await ServerProcess.StartAsync([.. Arguments, "--max-workers", "4"]);

        var held = Enumerable.Range(0, 12).Select(_ => server.Client.GetAsync(new Uri("/sleep?ms=3000", UriKind.Relative))).ToList();
        var line = await server.LineAsync("are blocked in GET /sleep at Program.Main (Program.cs:");
        await Task.WhenAll(held);

        line.ShouldContain("cause blocked");
        server.Output.ShouldNotContain("nothing can finish");
        server.Output.ShouldContain("A stack snapshot saw GET /sleep block a pool thread for ");
    }

    // One in ten took as long as a work item waited: the client that was used waited for a pool thread now and then.
    [Fact]
    public async Task Snapshots_NeedNoPoolThread()
    {
        const int Count = 30;
        await using var server = await ServerProcess.StartAsync(
            [.. Arguments, "--max-workers", "4", "--AsyncProbe:StackSnapshots:Interval=01:00:00"]);

        var costs = JsonDocument.Parse(await server.TextAsync($"/take-snapshots-starved?n={Count}")).RootElement;

        costs.GetProperty("ms").GetArrayLength().ShouldBe(Count);
        costs.GetProperty("threads").GetInt32().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Deadlock_OfTwoEndpoints_IsNamedWhileItLasts()
    {
        await using var server = await ServerProcess.StartAsync([.. Arguments, "--min-workers", "8"]);
        _ = server.Client.GetAsync(new Uri("/deadlock/first", UriKind.Relative));
        _ = server.Client.GetAsync(new Uri("/deadlock/second", UriKind.Relative));

        Dictionary<string, string?> now = [];
        await Eventually.TrueAsync(
            async () =>
            {
                now = (await server.ReportAsync()).GetProperty("now").EnumerateArray()
                    .ToDictionary(n => n.GetProperty("endpoint").GetString()!, n => n.GetProperty("at").GetString());
                return now.Count == 2 && now.Values.All(at => at is not null);
            },
            "the deadlock has no name");
        var sites = (await server.ReportAsync()).GetProperty("sites").EnumerateArray().ToList();

        now["GET /deadlock/first"]!.ShouldMatch(@"^Deadlock\.First \(Deadlock\.cs:\d+\)$");
        now["GET /deadlock/second"]!.ShouldMatch(@"^Deadlock\.Second \(Deadlock\.cs:\d+\)$");
        sites.Select(s => s.GetProperty("kind").GetString()).ShouldBe(["Lock", "Lock"]);
        sites.ShouldAllBe(s => s.GetProperty("sampled").GetBoolean());
    }

    [Fact]
    public async Task SwitchedOffDiagnostics_AreSaid_AndTheHostRunsOn()
    {
        await using var server = await ServerProcess.StartAsync(start => start.Environment["DOTNET_EnableDiagnostics"] = "0", Arguments);

        await CheckWithoutSnapshotsAsync(server, "stack snapshots: diagnostics are switched off by DOTNET_EnableDiagnostics=0.");
    }

    [Fact]
    public async Task FolderThatCannotBeWritten_IsSaid_AndTheHostRunsOn()
    {
        await using var server = await ServerProcess.StartAsync(start => start.Environment["TMPDIR"] = "/proc/", Arguments);

        await CheckWithoutSnapshotsAsync(server, "stack snapshots: the runtime has no diagnostics socket in /proc/.");
    }

    [RootFact]
    public async Task Snapshot_IsTaken_WithoutRights()
    {
        await using var server = await ServerProcess.StartAsync(
            start =>
            {
                var command = start.FileName;
                start.FileName = "setpriv";
                new[] { "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--inh-caps=-all", command }.Reverse()
                    .ToList()
                    .ForEach(argument => start.ArgumentList.Insert(0, argument));
            },
            Arguments);

        await CheckSnapshotAsync(server);
    }

    [Fact]
    public async Task Snapshot_WritesNoFile()
    {
        var folder = Directory.CreateTempSubdirectory("asyncprobe-files-").FullName;
        try
        {
            await using var server = await ServerProcess.StartAsync(start => start.Environment["TMPDIR"] = folder, Arguments);
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
        // Until the server is killed: how many snapshots it takes to see it is the machine's affair.
        _ = server.Client.GetAsync(new Uri("/sleep?ms=60000", UriKind.Relative));

        var found = await server.Client.FindAsync("GET /sleep");

        found.GetProperty("kind").GetString().ShouldBe("Sleep");
        found.GetProperty("line").GetInt32().ShouldBeGreaterThan(0);
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
