namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>When most requests failed, the figures describe only the few others, so the run isn't a success.</summary>
[SideBySide]
public class MostlyFailedTests
{
    [Theory]
    [InlineData(new string[0], 3)]
    [InlineData(new[] { "--threshold", "p(95)<60000" }, 3)]
    [InlineData(new[] { "--threshold", "failed.rate<0.9" }, 0)]
    [InlineData(new[] { "--threshold", "failed.rate<0.1" }, 99)]
    [InlineData(new[] { "--once" }, 0)]
    public async Task Run_ExitsAsItsFailuresSay(string[] options, int exitCode)
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write(
            "s.websurge",
            string.Concat(new[] { "plain", "status/503", "status/404" }.Select(path => $"GET {server.Url}/{path} HTTP/1.1\n\n-----\n\n")));

        var tool = await Tool.RunAsync(["run", session, "-t", "1", "--requests", "30", "-w", "0", .. options]);

        tool.ExitCode.ShouldBe(exitCode, tool.Messages);
        if (exitCode == 3)
        {
            tool.Messages.ShouldContain("20 of 30 (10 × HTTP 503 ServiceUnavailable, 10 × HTTP 404 NotFound)");
            tool.Results.ShouldContain("Most requests failed: 20 of 30");
        }
    }
}
