using System.Text.Json;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Clocks;

/// <summary>Platforms that lack some or all thread clocks, simulated by switches in a separate process.</summary>
[SideBySide]
public sealed class UnknownPlatformTests
{
    // As on Windows and macOS.
    [Fact]
    public async Task WaitForACore_IsMissing_AndPartOfBlocked_WhereNoRunQueueIsToldOf()
    {
        await using var server = await ServerProcess.StartAsync("--run-queue", "false", "--environment", "Development");

        using var response = await server.Client.GetAsync(new Uri("/sleep?ms=200", UriKind.Relative));
        var report = await RowAsync(server);

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(190);
        var timing = response.Headers.GetValues("Server-Timing").ShouldHaveSingleItem();
        timing.ShouldContain("blocked;dur=");
        timing.ShouldNotContain("cpuwait");
        var row = report.GetProperty("endpoints")[0];
        row.GetProperty("cpuWaitMs").ValueKind.ShouldBe(JsonValueKind.Null);
        row.Ms("blockedMs").ShouldBeGreaterThan(190);
        report.GetProperty("probe").GetProperty("notAvailable").EnumerateArray().ShouldHaveSingleItem().GetString()!
            .ShouldStartWith("cpuWait: ");
    }

    [Fact]
    public async Task HeldTime_IsMeasured_AndTheRestIsMissing_WithTheReason()
    {
        await using var server = await ServerProcess.StartAsync("--thread-clocks", "false", "--environment", "Development");

        using var response = await server.Client.GetAsync(new Uri("/sleep?ms=200", UriKind.Relative));
        var report = await RowAsync(server);

        response.EnsureSuccessStatusCode();
        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(190);
        response.Headers.Select(header => header.Key)
            .ShouldNotContain(name => name == "X-AsyncProbe-Cpu-Ms" || name == "X-AsyncProbe-Blocked-Ms");
        var row = report.GetProperty("endpoints")[0];
        row.Ms("heldMs").ShouldBeGreaterThan(190);
        foreach (var figure in new[] { "cpuMs", "cpuWaitMs", "gcMs", "blockedMs" })
        {
            row.GetProperty(figure).ValueKind.ShouldBe(JsonValueKind.Null, figure);
        }

        report.GetProperty("probe").GetProperty("notAvailable")[0]
            .GetString()!.ShouldStartWith("cpu, cpuWait and blocked: ");
    }

    // https://github.com/dotnet/runtime/issues/128323 might add such a platform.
    [Fact]
    public async Task Everything_ThatARequestHolds_IsMissing_WhereTheRuntimeDoesNotTellOfArrivals()
    {
        await using var server = await ServerProcess.StartAsync("--context-notifications", "false", "--environment", "Development");

        using var response = await server.Client.GetAsync(new Uri("/sleep?ms=200", UriKind.Relative));
        var report = await RowAsync(server);

        response.EnsureSuccessStatusCode();
        response.Headers.Select(header => header.Key)
            .ShouldNotContain(name => name.StartsWith("X-AsyncProbe", StringComparison.Ordinal) || name == "Server-Timing");
        var row = report.GetProperty("endpoints")[0];
        row.GetProperty("requests").GetInt64().ShouldBe(1);
        row.Ms("durationMs", "max").ShouldBeGreaterThan(190);
        foreach (var figure in new[] { "heldMs", "cpuMs", "cpuWaitMs", "gcMs", "blockedMs" })
        {
            row.GetProperty(figure).ValueKind.ShouldBe(JsonValueKind.Null, figure);
        }

        var probe = report.GetProperty("probe");
        probe.GetProperty("detection").GetString().ShouldBe("off");
        probe.GetProperty("selfTest").GetString()!.ShouldStartWith("failed: ");
        probe.GetProperty("notAvailable").EnumerateArray().ShouldHaveSingleItem()
            .GetString()!.ShouldStartWith("held, cpu, ");
    }

    private static Task<JsonElement> RowAsync(ServerProcess server) =>
        Eventually.FoundAsync(
            async () =>
            {
                var seen = await server.ReportAsync();
                return seen.GetProperty("endpoints").EnumerateArray().Any(row => row.GetProperty("requests").GetInt64() > 0) ? seen : default;
            },
            () => "the request was not counted");
}
