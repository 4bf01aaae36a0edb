namespace AsyncProbe.Cli.Tests.Joining;

[SideBySide]
public class ServerJoinTests
{
    // The load starves the pool, so the report doesn't answer from the second poll on.
    [Fact]
    public async Task Run_IsMeasuredOnTheLifeline_WhenItsLoadStarvesTheReport()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Lifeline = server.Url + "/";
        server.AnswerOnlyOnTheLifeline(afterPolls: 1);

        var tool = await Tool.RunAsync("run", server.Url + "/delay/20", "-t", "1", "-s", "3", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var half = tool.Json["server"]!;
        ((bool)half["endAnswered"]!).ShouldBeTrue();
        ((int)half["pollsWithoutAnswer"]!).ShouldBe(0);
        half["findings"]!.ToJsonString().ShouldContain("answered by the lifeline only");
        ((long)half["endpoints"]![0]!["requests"]!).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Join_TakesDifferencesAndTheHistorysMaxima_WhenTheServerReports()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "-s", "2", "-w", "1", "--json",
            "--threshold", "blocked.avg<199", "--threshold", "pool.threads.max<=21", "--threshold", "name[GET /plain]:held.avg>199");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var side = tool.Json["server"]!;
        ((string)side["status"]!).ShouldBe("joined");
        var row = side["endpoints"]!.AsArray().ShouldHaveSingleItem()!;
        ((string)row["endpoint"]!).ShouldBe("GET /plain");
        // Each poll adds ten requests to the thousand from before. Those before the load don't count.
        ((long)row["requests"]!).ShouldBeInRange(10, 10 * (server.Report.Polls - 1));
        ((double)row["heldMs"]!["mean"]!).ShouldBe(200);
        ((double)row["blockedMs"]!["mean"]!).ShouldBe(198);
        row["cpuWaitMs"]!["mean"].ShouldBeNull();
        row["heldMs"]!["max"].ShouldBeNull();
        ((string)row["worstSite"]!).ShouldBe("Orders.Load (Orders.cs:42)");
        ((string)row["verdict"]!).ShouldBe("asyncWillHelp");
        ((double)row["ceilingPerSecond"]!["gain"]!).ShouldBe(10.43);
        ((double)side["queueDelayMaxMs"]!).ShouldBe(321);
        ((double)side["poolThreadsMax"]!).ShouldBe(21);

        // This server sends one second with each answer.
        side["seconds"]!.AsArray().Count.ShouldBeInRange(1, server.Report.Polls);
    }

    [Fact]
    public async Task Join_IsAFinding_WhenTheServerStopsAnswering()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.HangsAfterTheFirst = true;
        using var interrupt = new CancellationTokenSource();

        var running = Tool.RunAsync(interrupt.Token, "run", server.Url + "/plain", "-s", "600", "-w", "1", "--json");
        while (server.Report.Polls < 3)
        {
            await Task.Delay(20);
        }

        // An interrupted run doesn't wait long for the last report.
        await interrupt.CancelAsync();
        var tool = await running;

        tool.ExitCode.ShouldBe(130);
        ((int)tool.Json["server"]!["pollsWithoutAnswer"]!).ShouldBeGreaterThanOrEqualTo(2);
        ((string)tool.Json["server"]!["findings"]![0]!).ShouldContain("no free thread");
        ((string)tool.Json["server"]!["findings"]![1]!).ShouldContain("its counts begin before it");
    }

    [Fact]
    public async Task Join_PrintsWhatThereIs_WhenTheServersTablesAreEmpty()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.NullsOnly = true;

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "-s", "1", "-w", "0");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("The server counted no request");
    }

    [Fact]
    public async Task Join_IsLeftOut_WhenToldSo()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "--once", "--probe", "off", "--json");

        ((string)tool.Json["server"]!["status"]!).ShouldBe("off");
        server.Report.Polls.ShouldBe(0);
    }
}
