namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>A mistake gets one sentence that suggests the likely intention, before anything is sent, and exit code 2.</summary>
public class MistakesTests
{
    [Theory]
    [InlineData("run http://127.0.0.1:1/ -s abc",
        "--seconds is \"abc\"; it takes a whole number, 1 to 604,800. See asyncprobe run --help.")]
    [InlineData("run http://127.0.0.1:1/ --requests 0", "--requests is 0; it must be at least 1.")]
    [InlineData("run http://127.0.0.1:1/ --connections 2", "--connections needs --http2, because a connection of HTTP/1.1")]
    [InlineData("run http://127.0.0.1:1/ --seconds", "--seconds needs a value: --seconds N.")]
    [InlineData("run http://127.0.0.1:1/ --secconds 5", "There is no option --secconds of run. Did you mean --seconds?")]
    [InlineData("run http://127.0.0.1:1/ more", "run does not take \"more\" as well.")]
    [InlineData("run", "run needs a session file or a URL: asyncprobe run http")]
    [InlineData("compare a", "compare needs at least two sessions or saved runs: asyncprobe compare before.websurge after.websurge.")]
    [InlineData("compare a b --rounds x", "--rounds is \"x\"; it takes a whole number, 1 to 1,000.")]
    [InlineData("watch", "watch needs the server's URL: asyncprobe watch http://127.0.0.1:5080.")]
    [InlineData("watch localhost:5080", "\"localhost:5080\" is not a URL; write it like http://localhost:5080.")]
    [InlineData("watch http://127.0.0.1:1 --times x", "--times is \"x\"; it takes a whole number")]
    [InlineData("runn http://127.0.0.1:1/", "There is no command \"runn\". Did you mean run? There are run, compare,")]
    [InlineData("zzz", "There is no command \"zzz\". There are run,")]
    [InlineData("http://127.0.0.1:1/", "The command is missing before http://127.0.0.1:1/: asyncprobe run http://127.0.0.1:1/.")]
    [InlineData("", "Which command? There are run, compare,")]
    [InlineData("run http://127.0.0.1:1/ --threshold p95<500", "names \"p95\", which is not a metric. Did you mean p(95)? All metrics:")]
    [InlineData("run http://127.0.0.1:1/ --threshold fromsend.p99.9<500", "Did you mean fromsend.p(99.9)?")]
    [InlineData("observe http://127.0.0.1:1/ --threshold bloked.avg<5", "Did you mean blocked.avg?")]
    [InlineData("run http://127.0.0.1:1/ --threshold zzzzz<5", "which is not a metric. Metrics: p(N), min,")]
    [InlineData("run localhost:5080/x",
        "localhost:5080/x is neither a file nor a URL. If the server is meant, write http://localhost:5080/x.")]
    [InlineData("check localhost:5080/x", "write http://localhost:5080/x.")]
    [InlineData("run http://127.0.0.1:1/ --probe localhost:5080", "such as http://localhost:5080.")]
    [InlineData("run http://127.0.0.1:1/ --base-url example.org:80", "such as http://example.org:80.")]
    public async Task Mistake_GetsASentence(string typed, string sentence)
    {
        var tool = await Tool.RunAsync(typed.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain(sentence);
        tool.Messages.Trim().ShouldNotContain('\n');
        tool.Messages.ShouldNotContain("System.");
        tool.Results.ShouldBeEmpty();
    }

    [Fact]
    public async Task File_ThatCannotBeWritten_IsRefusedBeforeTheLoad()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        var taken = folder.File("taken.json");
        Directory.CreateDirectory(taken);
        var kept = folder.Write("kept.json", "kept");

        foreach (var option in (string[])["-o", "--save"])
        {
            var run = await Tool.RunAsync("run", server.Url + "/plain", "--once", "-o", kept, "-o", folder.File("new.html"), option, taken);

            run.ExitCode.ShouldBe(2);
            run.Messages.ShouldContain("taken.json cannot be written: it is a folder.");
        }

        (await Tool.RunAsync("report", server.Url, "-o", taken)).Messages.ShouldContain("it is a folder");
        server.Count.ShouldBe(0);
        File.ReadAllText(kept).ShouldBe("kept");
        File.Exists(folder.File("new.html")).ShouldBeFalse();
    }

    [Fact]
    public async Task Session_IsSuggested_WhenTheNameIsNearlyRight()
    {
        using var folder = new TemporaryFolder();
        folder.Write("orders.websurge", "GET http://127.0.0.1:1/ HTTP/1.1\n");

        (await Tool.RunAsync("run", folder.File("orders"))).Messages.ShouldContain($"Did you mean {folder.File("orders.websurge")}?");
        (await Tool.RunAsync("run", folder.File("odrers.websurge"))).Messages.ShouldContain(
            $"Did you mean {folder.File("orders.websurge")}?");
        (await Tool.RunAsync("run", folder.File("else"))).Messages.ShouldContain("there is no such file");
    }

    [Fact]
    public async Task Threshold_OnARequestThatIsNotThere_IsRefusedBeforeTheLoad()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("s.websurge", $"GET {server.Url}/plain HTTP/1.1\nWebsurge-Request-Name: Album\n");

        var run = await Tool.RunAsync("run", session, "--once", "--threshold", "name[Albun]:p(95)<500");
        var compared = await Tool.RunAsync("compare", session, session, "--threshold", "name[Nope]:rps>1");

        run.ExitCode.ShouldBe(2);
        run.Messages.ShouldContain("named \"Albun\", which the session does not have. Did you mean Album? It has: Album.");
        compared.ExitCode.ShouldBe(2);
        compared.Messages.ShouldContain("named \"Nope\"");
        server.Count.ShouldBe(0);
    }

    [Fact]
    public async Task Threshold_OnAnEndpoint_IsLeftToTheServer()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync(
            "run", server.Url + "/plain", "--requests", "20", "-w", "0", "--threshold", "name[GET /plain]:requests>1", "--threshold",
            "name[GET /plain]:held.avg>1");

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("name[GET /plain]:requests>1");
        tool.Messages.ShouldNotContain("held.avg");
    }

    [Fact]
    public async Task Differences_AreSaid_OnlyWhenAskedFor()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("s.websurge", $"GET {server.Url}/plain HTTP/1.1\n");

        (await Tool.RunAsync("run", session, "--once")).Results.ShouldNotContain("WebSurge");
        (await Tool.RunAsync("run", session, "--once", "--differences")).Results.ShouldContain(
            "Different from WebSurge: Failed requests are counted apart");
    }
}
