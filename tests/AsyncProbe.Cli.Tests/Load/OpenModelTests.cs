namespace AsyncProbe.Cli.Tests.Load;

public class OpenModelTests
{
    [Fact]
    public async Task Latency_IsCountedFromThePlannedStart_WhenAllConnectionsAreBusy()
    {
        await using var server = await TestServer.StartAsync();

        // One connection, 20 requests planned a second, 100 ms each: half of them wait longer and longer for the connection.
        var tool = await Tool.RunAsync(
            "run", server.Url + "/delay/100", "--rate", "20", "-t", "1", "--requests", "20", "-w", "0", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var total = tool.Json["total"]!;
        ((long)total["requests"]!).ShouldBe(20);
        ((double)total["fromSendMs"]!["p50Ms"]!).ShouldBeLessThan((double)total["timeMs"]!["p50Ms"]! / 2);
        ((double)total["timeMs"]!["maxMs"]!).ShouldBeGreaterThan(800);
        ((long)total["lateStarts"]!).ShouldBeGreaterThan(15);
        ((string)tool.Json["load"]!["timeMeans"]!).ShouldBe("time from the planned start");
    }

    [Fact]
    public async Task Percentiles_AgreeWithTheServersKnownDelays()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        // Nine of ten requests take 20 ms and one takes 300 ms, so the median is 20 and the 99th percentile 300.
        var session = folder.Write(
            "known.websurge",
            string.Concat(Enumerable.Range(0, 10).Select(i => $"GET {server.Url}/delay/{(i == 9 ? 300 : 20)} HTTP/1.1\n\n-----\n\n")));

        var tool = await Tool.RunAsync("run", session, "--rate", "100", "-s", "3", "-w", "1", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var total = tool.Json["total"]!;
        ((double)total["requests"]!).ShouldBe(300);
        ((double)total["timeMs"]!["p50Ms"]!).ShouldBeInRange(19, 299);
        ((double)total["timeMs"]!["p99Ms"]!).ShouldBeInRange(299, 5000);
    }

    // 29 times a twenty-ninth of a second is a moment less than a second, in binary.
    [Fact]
    public async Task Rate_IsWhatIsStartedInASecond_HoweverItDivides()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "--rate", "29", "-s", "1", "-w", "0", "--json");

        ((int)tool.Json["total"]!["requests"]!).ShouldBe(29);
    }

    [Fact]
    public async Task Sweep_SaysWhereTheServerFellBehind()
    {
        await using var server = await TestServer.StartAsync();

        // One connection answers ten a second. Whether it keeps up with one also depends on how the machine stalls.
        var tool = await Tool.RunAsync("run", server.Url + "/delay/100", "--rate", "1,20", "-t", "1", "-s", "2", "-w", "0");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Messages.ShouldNotContain("nothing was measured");
        tool.Results.ShouldContain("behind at 20");
    }

    [Fact]
    public async Task Queue_IsGivenUp_ATimeoutAfterTheLastPlannedStart()
    {
        await using var server = await TestServer.StartAsync();

        // One connection and 100 planned requests, each of which takes as long as it may: sending them all would take 20 seconds.
        var tool = await Tool.RunAsync(
            "run", server.Url + "/gate", "--rate", "100", "-t", "1", "-s", "1", "-w", "0", "--timeout", "200ms", "--json");

        var sent = (int)tool.Json["total"]!["requests"]!;
        var unanswered = (int)tool.Json["unanswered"]!;
        unanswered.ShouldBeGreaterThan(0);
        (sent + unanswered).ShouldBe(100);
        tool.Json["warnings"]!.AsArray().ShouldContain(warning => (string)warning!["kind"]! == "unanswered");
    }

    [Fact]
    public async Task Users_TakeTurns_AndEachSendsTheWholeList()
    {
        var sent = await SendAsTwoUsersAsync("");

        sent.CountBy(request => (request.PathAndQuery, request.Headers["Authorization"])).ShouldBe(
            [
                new(("/login", "Bearer ada"), 5), new(("/login", "Bearer bob"), 5),
                new(("/cookie", "Bearer ada"), 5), new(("/cookie", "Bearer bob"), 5),
            ],
            ignoreOrder: true);
    }

    [Fact]
    public async Task Users_TakeTurns_WithTheirOwnCookies_WhenTheSessionCapturesAToken()
    {
        var sent = await SendAsTwoUsersAsync("WebSurge-Request-CaptureJsonToken: token\n");

        sent.CountBy(request => request.Headers["Authorization"]).ShouldBe([new("Bearer ada", 10), new("Bearer bob", 10)], ignoreOrder: true);
        sent.ShouldAllBe(request => request.Headers["Cookie"].Contains(request.Headers["Authorization"].Substring(7), StringComparison.Ordinal));
    }

    private static async Task<Seen[]> SendAsTwoUsersAsync(string capture)
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("users.websurge", $$"""
            POST {{server.Url}}/login HTTP/1.1
            {{capture}}Content-Type: application/json

            {}

            -----

            GET {{server.Url}}/cookie HTTP/1.1

            -----

            ----- Start WebSurge Options -----
            { "Users": [ { "Authorization": "Bearer ada", "AuthCookie": "of=ada" }, { "Authorization": "Bearer bob", "AuthCookie": "of=bob" } ] }
            ----- End WebSurge Options -----

            """);

        var tool = await Tool.RunAsync("run", session, "--rate", "50", "--requests", "20", "-w", "0");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        return [.. server.Requests.Where(request => request.Headers.ContainsKey("Authorization"))];
    }
}
