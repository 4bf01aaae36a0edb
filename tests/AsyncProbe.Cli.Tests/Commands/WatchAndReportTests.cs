using System.Text.Json;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Commands;

[SideBySide]
public class WatchAndReportTests
{
    [Fact]
    public async Task Report_PrintsTheState_Once()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync("report", server.Url);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("queueing (blocked)");
        tool.Results.ShouldContain("Orders.Load (Orders.cs:42) [Task.Wait]");
        tool.Results.ShouldContain("GET /plain: Await the call.");
    }

    [Fact]
    public async Task Report_HasATableOfOperations_WhenThereAreAny()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        (await Tool.RunAsync("report", server.Url)).Results.ShouldNotContain("ms an operation");
        server.Report.HasOperation = true;

        var tool = await Tool.RunAsync("report", server.Url);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("ms an operation");
        tool.Results.Split('\n')
            .ShouldContain(line => line.Contains("nightly job", StringComparison.Ordinal) && line.Contains("39", StringComparison.Ordinal));
    }

    [Fact]
    public void Report_OfAWorker_HasNoTableOfRequests()
    {
        using var text = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = AnsiSupport.No, Interactive = InteractionSupport.No, Out = new AnsiConsoleOutput(text) });
        console.Profile.Width = 140;
        using var report = JsonDocument.Parse("""
            { "schema": 1, "pool": { "threads": 3 }, "endpoints": [],
              "operations": [{ "endpoint": "AsyncProbe: import", "requests": 7, "heldMs": { "total": 70, "mean": 10, "max": 12 } }] }
            """);

        StateReport.Write(ServerSnapshot.Read(report.RootElement, receivedAt: 0)!, console);

        text.ToString().ShouldNotContain("ms a request");
        text.ToString().ShouldContain("operations");
        text.ToString().ShouldContain("held: how long");
    }

    [Fact]
    public async Task Report_ExitsWith3AndSaysWhatToDo_WhenThereIsNone()
    {
        await using var server = await TestServer.StartAsync();
        using var nobody = new RefusingPort();

        var tool = await Tool.RunAsync("report", server.Url);

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("MapAsyncProbe");
        (await Tool.RunAsync("report", nobody.Url)).Messages.ShouldContain("is the server running?");
    }

    [Fact]
    public async Task Watch_FallsBackToTheLifeline_WhenTheReportDoesNotAnswer()
    {
        await using var starved = await TestServer.StartAsync();
        await using var lifeline = await TestServer.StartAsync();
        starved.Report.IsThere = true;
        starved.Report.HangsAfterTheFirst = true;
        lifeline.Report.IsThere = true;
        await Tool.RunAsync("report", starved.Url);
        lifeline.LifelineAtRoot = true;

        var tool = await Tool.RunAsync(
            "watch", starved.Url, "--lifeline", new Uri(lifeline.Url).Port.ToString(System.Globalization.CultureInfo.InvariantCulture),
            "--times", "1");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("figures are from the lifeline");
        tool.Results.ShouldContain("queueing");
    }

    [Fact]
    public async Task Watch_PrintsALineALook_WhenRedirected()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync("watch", server.Url, "--times", "2");

        tool.Results.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(2);
    }
}
