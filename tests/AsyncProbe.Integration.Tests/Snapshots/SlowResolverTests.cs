using System.Text.Json;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A name lookup waits in the C library, where no hook sees it; with production settings.</summary>
[SideBySide]
public sealed class SlowResolverTests
{
    private static readonly string s_file = Path.Combine(Repository.Folder, "tests/AsyncProbe.TestServer/Resolving.cs");

    private static readonly string[] s_endpoints = ["GET /resolve/first", "GET /resolve/later", "GET /resolve/library"];

    // Only in the server's namespace; every other process sees the real /etc.
    private const string Mount =
        "mount --bind \"$1/resolv.conf\" /etc/resolv.conf && mount --bind \"$1/nsswitch.conf\" /etc/nsswitch.conf && shift && exec \"$@\"";

    [MountFact]
    public async Task Lookup_IsNamedWithItsLineInEachPosition_WhenTheResolverAnswersLate()
    {
        using var resolver = new SlowResolver();
        var etc = Directory.CreateTempSubdirectory("asyncprobe-etc-").FullName;
        try
        {
            await File.WriteAllTextAsync(Path.Combine(etc, "resolv.conf"), $"nameserver {resolver.Address}\n");
            await File.WriteAllTextAsync(Path.Combine(etc, "nsswitch.conf"), "hosts: dns\n");
            await using var server = await StartAsync(etc);
            using var stop = new CancellationTokenSource();
            var asking = Task.WhenAll(s_endpoints.Select(endpoint => AskAsync(server, endpoint, stop.Token)));

            JsonElement[] sites = [];
            await Eventually.TrueAsync(
                async () =>
                {
                    sites = [.. (await server.ReportAsync()).GetProperty("sites").EnumerateArray()];
                    return asking.IsCompleted || s_endpoints.All(endpoint => sites.Any(site => IsNamed(site, endpoint)));
                },
                () => $"the lookups are not all named: {string.Join(", ", sites)}",

                // After five windows without a hit, an endpoint has no more for three minutes.
                TimeSpan.FromMinutes(5));
            await stop.CancelAsync();
            await asking.WaitAsync(ProbedApp.Timeout);

            var lookup = sites.First(site => IsNamed(site, s_endpoints[0]));
            lookup.GetProperty("sampled").GetBoolean().ShouldBeTrue();
            lookup.GetProperty("awaitable").GetString().ShouldStartWith("GetHostEntryAsync");
            (await File.ReadAllLinesAsync(s_file))[lookup.Count("line") - 1].ShouldContain("Dns.GetHostEntry(name)");
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

    private static bool IsNamed(JsonElement site, string endpoint) =>
        site.GetProperty("at").GetString() == "Resolving.Resolve" && site.Count("hits") >= 5 * s_endpoints.Length
        && site.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == endpoint);

    private static async Task AskAsync(ServerProcess server, string endpoint, CancellationToken stop)
    {
        // The trailing dot keeps the C library from trying other names.
        var path = new Uri(endpoint.Split(' ')[1] + "?name=slow.test.", UriKind.Relative);
        while (!stop.IsCancellationRequested)
        {
            using var response = await server.Client.GetAsync(path, CancellationToken.None);
            (await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(CancellationToken.None)).ShouldBe("1");
        }
    }
}
