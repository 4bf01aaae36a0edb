using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>A server that is killed in the middle of a run leaves no evidence about threads.</summary>
[SideBySide]
public sealed class KilledServerTests
{
    [Fact]
    public async Task Run_SaysThatTheServerEnded_WhenItIsKilled()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:Upstream", "false");
        var address = sample.Address.ToString();
        var html = Path.GetTempFileName() + ".html";
        var running = AsyncProbeCommand.RunAsync(
            "run", address + "values/delay?ms=200", "-t", "16", "--requests", "2000", "-w", "0", "--json", "-o", html);
        // The run has answers, but far fewer than half of its two thousand: those take sixteen threads twelve seconds, on any machine.
        await Eventually.TrueAsync(async () => await CountAsync(sample) > 50, "The run never began.");

        sample.Kill();
        var run = await running;

        run.ExitCode.ShouldBe(3, run.Messages);
        run.Messages.ShouldContain("most requests failed");
        run.Messages.ShouldContain("connection refused");
        var server = run.Json.GetProperty("server");
        server.GetProperty("endAnswered").GetBoolean().ShouldBeFalse();
        server.GetProperty("pollsRefused").GetInt32().ShouldBeGreaterThan(0);
        var findings = server.GetProperty("findings").EnumerateArray().Select(finding => finding.GetString()!).ToList();
        findings.ShouldContain(finding => finding.Contains("were refused") && finding.Contains("the server process has ended"));
        findings.ShouldNotContain(finding => finding.Contains("no free thread"));
        var page = await File.ReadAllTextAsync(html);
        File.Delete(html);
        page.ShouldContain("in its last answer");
        page.ShouldNotContain("at the end<");
        // Everything measured up to that point is still there.
        run.Json.GetProperty("total").GetProperty("timeMs").GetProperty("count").GetInt64().ShouldBeGreaterThan(20);
    }

    private static async Task<long> CountAsync(SampleProcess sample)
    {
        using var report = JsonDocument.Parse(await sample.TextAsync("/_threadpool?endpoint=values/delay"));
        return report.RootElement.GetProperty("endpoints").EnumerateArray().Sum(row => row.GetProperty("requests").GetInt64());
    }
}
