namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Replicas whose pool is starved answer on their lifeline, or not at all.</summary>
[SideBySide]
public class ObserveLifelineTests
{
    [Fact]
    public async Task Replica_IsAskedOnItsLifeline_WhenItsReportFallsSilent()
    {
        await using var server = await TestServer.StartWithReportAsync();
        server.Report.Lifeline = server.Url + "/";
        server.AnswerOnlyOnTheLifeline(afterPolls: 1);

        var tool = await Tool.RunAsync("observe", server.Url, "-s", "3", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((int)tool.Json["replicas"]![0]!["lifelineAnswers"]!).ShouldBeGreaterThan(0);
        tool.Json["findings"]!.ToJsonString().ShouldContain("answered by the lifeline only");
        ((long)tool.Json["endpoints"]![0]!["requests"]!).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Replica_IsObservedOnItsLifeline_WhenItsReportNeverAnswers()
    {
        await using var without = await StartSilentAsync();
        await using var starved = await StartSilentAsync();

        var tool = await Tool.RunAsync(
            "observe", without.Url, "--lifeline", "off", starved.Url, "--lifeline", $"{new Uri(starved.Url).Port}", "-s", "3", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Messages.ShouldContain("Observing 1 of 2 replicas");
        var (first, second) = (tool.Json["replicas"]![0]!, tool.Json["replicas"]![1]!);
        ((string)first["problem"]!).ShouldContain("within 3 s");
        ((string)first["problem"]!).ShouldContain("--lifeline PORT here");

        // It counts every poll that was answered and no more: the first look is not a poll.
        ((int)second["lifelineAnswers"]!).ShouldBeGreaterThan(0);
        ((int)second["lifelineAnswers"]!).ShouldBeLessThanOrEqualTo((int)second["server"]!["polls"]!);
        ((long)tool.Json["endpoints"]![0]!["requests"]!).ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("http://127.0.0.1:5099")]
    [InlineData("0")]
    [InlineData("5099", "5098")]
    public async Task WrongLifeline_IsRefused_BeforeAnybodyIsAsked(params string[] lifelines)
    {
        await using var server = await TestServer.StartWithReportAsync();

        var tool = await Tool.RunAsync(
            ["observe", server.Url, .. lifelines.SelectMany(lifeline => new[] { "--lifeline", lifeline })]);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("lifeline");
        server.Report.Polls.ShouldBe(0);
    }

    /// <summary>Answers only on its lifeline.</summary>
    private static async Task<TestServer> StartSilentAsync()
    {
        var server = await TestServer.StartWithReportAsync();
        server.AnswerOnlyOnTheLifeline(afterPolls: 0);
        return server;
    }
}
