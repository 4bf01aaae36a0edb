using System.Text.Json;

namespace AsyncProbe.Tests.Clocks;

/// <summary>A platform without clocks of threads, which a switch plays in a process of its own.</summary>
public sealed class UnknownPlatformTests
{
    [Fact]
    public async Task HeldTime_IsMeasured_AndTheRestIsMissing_WithTheReason()
    {
        await using var server = await ServerProcess.StartAsync("--thread-clocks", "false", "--environment", "Development");

        using var response = await server.Client.GetAsync(new Uri("/sleep?ms=200", UriKind.Relative));
        var report = await Eventually.FoundAsync(
            async () =>
            {
                var seen = await server.ReportAsync();
                return seen.GetProperty("endpoints").GetArrayLength() > 0 ? seen : default;
            },
            () => "the request was not counted");

        response.EnsureSuccessStatusCode();
        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(190);
        response.Headers.Select(header => header.Key).ShouldNotContain(name => name == "X-AsyncProbe-Cpu-Ms" || name == "X-AsyncProbe-Blocked-Ms");
        var row = report.GetProperty("endpoints")[0];
        row.Ms("heldMs").ShouldBeGreaterThan(190);
        foreach (var figure in new[] { "cpuMs", "cpuWaitMs", "gcMs", "blockedMs" })
        {
            row.GetProperty(figure).ValueKind.ShouldBe(JsonValueKind.Null, figure);
        }

        report.GetProperty("probe").GetProperty("notAvailable")[0].GetString()!.ShouldStartWith("cpu, cpuWait and blocked: this platform gives no CPU time per thread.");
    }
}
