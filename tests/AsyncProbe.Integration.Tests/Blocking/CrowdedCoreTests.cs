using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Blocking;

/// <summary>Many threads share a core: waiting for it doesn't count as blocking.</summary>
public sealed class CrowdedCoreTests
{
    private const int Rivals = 4;

    [Fact]
    public async Task CpuLoop_IsNotCalledBlocked_WhenItsCoreIsOversubscribed()
    {
        await using var server = await ServerProcess.StartAsync("--environment", "Development");
        (await server.Client.GetAsync(new Uri("/cpu?ms=20", UriKind.Relative))).EnsureSuccessStatusCode();
        await CountedAsync(server);
        await server.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);
        await RunAsync("taskset", "-a", "-c", "-p", "0", server.Process.Id.ToString(CultureInfo.InvariantCulture));
        var rivals = Enumerable.Range(0, Rivals).Select(_ => Process.Start("taskset", ["-c", "0", "sh", "-c", "while :; do :; done"]))
            .ToList();
        try
        {
            (await server.Client.GetAsync(new Uri("/cpu?ms=500", UriKind.Relative))).EnsureSuccessStatusCode();
        }
        finally
        {
            foreach (var rival in rivals)
            {
                rival.Kill(entireProcessTree: true);
                rival.Dispose();
            }
        }

        var (report, row) = await CountedAsync(server);
        row.Ms("cpuMs").ShouldBeGreaterThan(350);
        row.Ms("cpuWaitMs").ShouldBeGreaterThan(row.Ms("cpuMs"), "the core was not crowded");
        row.Ms("blockedMs").ShouldBeLessThan(row.Ms("heldMs") * 0.1);
        report.GetProperty("sites").GetArrayLength().ShouldBe(0);
    }

    /// <summary>The report and the endpoint's row, once its request is counted.</summary>
    private static async Task<(JsonElement Report, JsonElement Row)> CountedAsync(ServerProcess server)
    {
        JsonElement report = default, row = default;
        await Eventually.TrueAsync(
            async () =>
            {
                report = await server.ReportAsync();
                row = report.GetProperty("endpoints").EnumerateArray()
                    .FirstOrDefault(e => e.GetProperty("endpoint").GetString() == "GET /cpu");
                return row.ValueKind == JsonValueKind.Object && row.GetProperty("requests").GetInt64() == 1;
            },
            () => $"the request was not counted: {report}");
        return (report, row);
    }

    private static async Task RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        await process.WaitForExitAsync().WaitAsync(ProbedApp.Timeout);
        process.ExitCode.ShouldBe(0);
    }
}
