using AsyncProbe.TestServer;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Runtimes;

/// <summary>
/// What is true on Windows. Its clock may advance in steps of 15.6 ms, or of Wine's 10 ms for each of its two halves, and nothing reports
/// how long a thread waited for a core. So these are lower bounds, which hold on a crowded machine as well.
/// </summary>
public sealed class WindowsTests
{
    private const int StepMs = 32;
    private const int WorkMs = 200;

    [Fact]
    public async Task Report_SaysWhatIsMissing_AndTheSelfTestPasses()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var report = await app.ReportAsync();

        report.GetProperty("process").GetProperty("cpuMs").GetDouble().ShouldBeGreaterThan(0);
        var probe = report.GetProperty("probe");
        probe.GetProperty("selfTest").GetString().ShouldBe("passed");
        var missing = probe.GetProperty("notAvailable").EnumerateArray().Select(text => text.GetString()!).ToList();
        missing.ShouldContain(text => text.StartsWith("cpuWait: ", StringComparison.Ordinal), $"{probe}");
        missing.ShouldAllBe(text => text.StartsWith("cpuWait: ", StringComparison.Ordinal)
            || text.StartsWith("cpu: this Windows ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Sleep_IsBlocked_AndNoCpu()
    {
        using var response = await SecondAsync("/sleep");

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(WorkMs - StepMs);
        response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeLessThanOrEqualTo(StepMs);
    }

    [Fact]
    public async Task Work_IsCpu_HoweverCrowdedTheMachineIs()
    {
        using var response = await SecondAsync("/cpu");

        response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(WorkMs - StepMs);
        response.Number("X-AsyncProbe-Blocked-Ms")
            .ShouldBeLessThan(response.Number("X-AsyncProbe-Held-Ms") - response.Number("X-AsyncProbe-Cpu-Ms") + 0.3);
    }

    [Fact]
    public async Task SleepAndWork_AreToldApart()
    {
        using var response = await SecondAsync("/both");

        response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(WorkMs - StepMs);
        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(WorkMs - StepMs);
    }

    [Fact]
    public async Task AwaitedDelay_HoldsNothing()
    {
        using var response = await SecondAsync("/delay");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeLessThan(10 * WorkMs);
    }

    // The first request also compiles code, so only the second one counts.
    private static async Task<HttpResponseMessage> SecondAsync(string path)
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/sleep", () => Thread.Sleep(WorkMs));
            a.MapGet("/cpu", () => Cpu.Burn(WorkMs));
            a.MapGet("/both", () =>
            {
                Thread.Sleep(WorkMs);
                return Cpu.Burn(WorkMs);
            });
            a.MapGet("/delay", () => Task.Delay(20 * WorkMs));
        });
        (await app.GetAsync(path)).Dispose();
        return await app.GetAsync(path);
    }
}
