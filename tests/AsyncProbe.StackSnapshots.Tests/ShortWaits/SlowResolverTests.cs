using System.Text.Json;
using AsyncProbe.Tests;

namespace AsyncProbe.StackSnapshots.Tests.ShortWaits;

/// <summary>A lookup of a name waits in the C library, where no hook sees it; with the settings of production.</summary>
[SideBySide]
public sealed class SlowResolverTests
{
    private static readonly string s_file = Path.Combine(Repository.Folder, "tests/AsyncProbe.TestServer/Resolving.cs");

    // The dot at the end keeps the C library from trying other names.
    private static readonly Uri s_path = new("/resolve?name=slow.test.", UriKind.Relative);

    // In the server's namespace alone: for everybody else /etc stays as it is.
    private const string Mount =
        "mount --bind \"$1/resolv.conf\" /etc/resolv.conf && mount --bind \"$1/nsswitch.conf\" /etc/nsswitch.conf && shift && exec \"$@\"";

    [MountFact]
    public async Task Lookup_IsNamedWithItsLine_WhenTheResolverAnswersLate()
    {
        using var resolver = new SlowResolver();
        var etc = Directory.CreateTempSubdirectory("asyncprobe-etc-").FullName;
        try
        {
            await File.WriteAllTextAsync(Path.Combine(etc, "resolv.conf"), $"nameserver {resolver.Address}\n");
            await File.WriteAllTextAsync(Path.Combine(etc, "nsswitch.conf"), "hosts: dns\n");
            await using var server = await StartAsync(etc);
            using var stop = new CancellationTokenSource();
            var asking = AskAsync(server, stop.Token);

            JsonElement worst = default;
            await Eventually.TrueAsync(
                async () =>
                {
                    worst = (await server.ReportAsync()).GetProperty("sites").EnumerateArray().FirstOrDefault(
                        s => s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == "GET /resolve"));
                    return asking.IsCompleted
                        || (worst.ValueKind == JsonValueKind.Object && worst.GetProperty("at").GetString() == "Resolving.Resolve"
                            && worst.Count("hits") >= 5);
                },
                () => $"the lookup is not named: {worst}",
                TimeSpan.FromSeconds(90));
            await stop.CancelAsync();
            await asking.WaitAsync(ProbedApp.Timeout);

            worst.GetProperty("sampled").GetBoolean().ShouldBeTrue();
            worst.GetProperty("awaitable").GetString().ShouldStartWith("GetHostEntryAsync");
            (await File.ReadAllLinesAsync(s_file))[worst.Count("line") - 1].ShouldContain("Dns.GetHostEntry(name)");
        }
        finally
        {
            Directory.Delete(etc, recursive: true);
        }
    }

    private static Task<ServerProcess> StartAsync(string etc) => ServerProcess.StartAsync(
        start =>
        {
            var command = start.FileName;
            start.FileName = "unshare";
            new[] { "-m", "sh", "-c", Mount, "sh", etc, command }.Reverse().ToList()
                .ForEach(argument => start.ArgumentList.Insert(0, argument));
        },
        "--snapshots", "true", "--environment", "Production");

    private static async Task AskAsync(ServerProcess server, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            using var response = await server.Client.GetAsync(s_path, CancellationToken.None);
            (await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(CancellationToken.None)).ShouldBe("1");
        }
    }
}
