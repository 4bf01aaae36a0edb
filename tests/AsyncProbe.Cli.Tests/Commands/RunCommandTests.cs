namespace AsyncProbe.Cli.Tests.Commands;

[SideBySide]
public class RunCommandTests
{
    [Fact]
    public async Task Run_ExitsWith0AndReportsAllFigures_WhenTheServerAnswers()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync(
            "run", server.Url + "/plain", "-t", "3", "--requests", "500", "-w", "0", "--json", "--threshold", "p(95)<5000", "--threshold",
            "requests==500");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var total = tool.Json["total"]!;
        ((long)total["requests"]!).ShouldBe(500);
        ((long)total["failed"]!).ShouldBe(0);
        ((long)total["statusCodes"]!["200"]!).ShouldBe(500);
        ((long)total["bytesReceived"]!).ShouldBe(500 * 5);
        ((double)total["timeMs"]!["minMs"]!).ShouldBeGreaterThan(0);
        ((double)total["timeMs"]!["p99Ms"]!).ShouldBeLessThanOrEqualTo((double)total["timeMs"]!["maxMs"]!);
        ((string)tool.Json["load"]!["timeMeans"]!).ShouldBe("time from send");
        total["timeMs"]!["lowSamplePercentiles"]!.AsArray().Select(name => (string)name!).ShouldBe(["p99", "p99.9"]);
    }

    [Fact]
    public async Task Run_UsesOneConnectionPerThread_AndTheSecondsAndThreadsOfTheFile()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("four.websurge", $$"""
            GET {{server.Url}}/plain HTTP/1.1

            ------------------------------------------------------------------

            ----- Start WebSurge Options -----
            { "LastThreads": 4, "LastSecondsToRun": 1, "WarmupSeconds": 0 }
            ----- End WebSurge Options -----

            """);

        var tool = await Tool.RunAsync("run", session, "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        server.Requests.Select(request => request.Connection).Distinct().Count().ShouldBe(4);
        ((double)tool.Json["load"]!["measuredSeconds"]!).ShouldBe(1, tolerance: 0.001);
    }

    [Theory]
    [InlineData("p(95)<0.000001", 99)]
    [InlineData("name[nobody]:p(95)<1000", 2)]
    [InlineData("p(95)<", 2)]
    [InlineData("p(101)<1", 2)]
    [InlineData("speed>1", 2)]
    [InlineData("blocked.avg<5", 4)]
    public async Task Run_ExitsAsTheThresholdSays(string threshold, int exitCode)
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "--requests", "20", "-w", "0", "--threshold", threshold);

        tool.ExitCode.ShouldBe(exitCode, tool.Messages);
        tool.Messages.ShouldContain(threshold);
        server.Requests.IsEmpty.ShouldBe(exitCode == 2);
    }

    [Fact]
    public async Task Run_ExitsWith3_WhenNothingListens()
    {
        using var nobody = new RefusingPort();

        var tool = await Tool.RunAsync("run", nobody.Url + "/", "-s", "60");

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("connection refused");
    }

    [Fact]
    public async Task Run_ExitsWith3AndNamesTheReason_WhenEveryRequestFails()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/status/503", "--requests", "10", "-w", "0", "--json");

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("HTTP 503");
        tool.Json["total"]!["timeMs"].ShouldBeNull();
        ((long)tool.Json["total"]!["failedTimeMs"]!["count"]!).ShouldBe(10);
    }

    [Fact]
    public async Task Run_ExitsWith3_WhenNoRequestIsActive()
    {
        using var folder = new TemporaryFolder();
        var session = folder.Write("none.websurge", "GET http://127.0.0.1:1/ HTTP/1.1\r\nWebsurge-Request-Inactive: 1\r\n\r\n");

        (await Tool.RunAsync("run", session)).ExitCode.ShouldBe(3);
    }

    [Fact]
    public async Task Run_ExitsWith2NamingFileAndLine_WhenTheSessionIsBroken()
    {
        using var folder = new TemporaryFolder();
        var session = folder.Write("broken.websurge", "GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n-----\r\n\r\nGET oops\r\n");

        var tool = await Tool.RunAsync("run", session);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("broken.websurge(5): error:");
    }

    [Fact]
    public async Task Run_ExitsWith130AndPrintsWhatWasMeasured_WhenInterrupted()
    {
        await using var server = await TestServer.StartAsync();
        using var interrupt = new CancellationTokenSource();
        var running = Tool.RunAsync(interrupt.Token, "run", server.Url + "/plain", "-s", "600", "-w", "0", "--json");
        while (server.Requests.Count < 100)
        {
            await Task.Delay(10);
        }

        await interrupt.CancelAsync();
        var tool = await running;

        tool.ExitCode.ShouldBe(130);
        ((long)tool.Json["total"]!["requests"]!).ShouldBeGreaterThan(10);
    }

    [Fact]
    public async Task Run_CountsFailuresByReason_AndKeepsTheirTimesApart()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("mixed.websurge", $"""
            GET {server.Url}/plain HTTP/1.1
            Websurge-Request-Name: Good

            -----

            GET {server.Url}/status/404 HTTP/1.1

            -----

            GET {server.Url}/abort HTTP/1.1

            -----

            GET {server.Url}/gate HTTP/1.1

            -----

            """);

        var tool = await Tool.RunAsync("run", session, "--once", "--timeout", "3s", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var total = tool.Json["total"]!;
        ((long)total["failed"]!).ShouldBe(3);
        ((long)total["timeMs"]!["count"]!).ShouldBe(1);
        ((long)total["failureReasons"]!["HTTP 404 NotFound"]!).ShouldBe(1);
        ((long)total["failureReasons"]!["timeout after 3 s"]!).ShouldBe(1);
        ((long)total["statusCodes"]!["none"]!).ShouldBe(2);
        ((string)tool.Json["requests"]![0]!["name"]!).ShouldBe("Good");
    }

    [Fact]
    public async Task Run_MasksSecrets_InEverythingItPrints()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var html = folder.File("r.html");
        var session = folder.Write(
            "s.websurge", $"GET {server.Url}/plain?api_key=hush HTTP/1.1\nAuthorization: Bearer hush-hush\nCookie: a=hush\n\n-----\n\n");

        var run = await Tool.RunAsync(
            "run", session, "--once", "-o", html, "-o", folder.File("r.md"), "-o", folder.File("r.json"), "-H", "X-Api-Key: hush");
        var check = await Tool.RunAsync("check", session);

        run.ExitCode.ShouldBe(0, run.Messages);
        server.Requests.Single().Headers["Authorization"].ShouldBe("Bearer hush-hush");
        string[] texts =
        [
            run.Results,
            run.Messages,
            check.Results,
            File.ReadAllText(html),
            File.ReadAllText(folder.File("r.md")),
            File.ReadAllText(folder.File("r.json")),
        ];
        texts.ShouldAllBe(text => !text.Contains("hush"));
    }

    [Fact]
    public async Task Run_WaitsForWhatIsUnderWay_WhenTheRequestsTakeLongerThanTheRun()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/delay/2500", "-t", "4", "-s", "1", "-w", "1", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        // All four were sent in the warm-up and answered after the end.
        ((long)tool.Json["total"]!["requests"]!).ShouldBe(4);
        ((double)tool.Json["total"]!["timeMs"]!["minMs"]!).ShouldBeGreaterThanOrEqualTo(2490);
        var load = tool.Json["load"]!;
        var seconds = new[] { "warmupSeconds", "measuredSeconds", "waitedSeconds" }.Sum(part => (double)load[part]!);
        ((double)tool.Json["total"]!["requestsPerSecond"]!).ShouldBe(4 / seconds, tolerance: 0.01);
        ((bool)tool.Json["load"]!["shorterThanRequests"]!).ShouldBeTrue();
        tool.Json["warnings"]!.AsArray().ShouldContain(warning => (string)warning!["kind"]! == "shorterThanRequests");
    }

    [Theory]
    [InlineData("--rate", "5,x")]
    [InlineData("--timeout", "soon")]
    [InlineData("--probe", "maybe")]
    [InlineData("-H", "nonsense")]
    [InlineData("-t", "0")]
    [InlineData("-o", "result.doc")]
    [InlineData("-o", "/no/such/folder/r.json")]
    [InlineData("-d", "5")]
    [InlineData("-r", "5")]
    public async Task Run_ExitsWith2BeforeAnyLoad_WhenAnOptionIsWrong(string option, string value)
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/plain", option, value);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldNotBeEmpty();
        server.Requests.ShouldBeEmpty();
    }
}
