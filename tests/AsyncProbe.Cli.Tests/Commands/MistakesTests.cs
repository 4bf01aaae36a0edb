namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>A mistake gets one sentence that suggests the likely intention, before anything is sent, and exit code 2.</summary>
[Trait("Category", ApprovedTexts.Category)]
public class MistakesTests
{
    private static readonly string[] s_mistakes =
    [
        "run http://127.0.0.1:1/ -s abc",
        "run http://127.0.0.1:1/ --requests 0",
        "run http://127.0.0.1:1/ --connections 2",
        "run http://127.0.0.1:1/ --seconds",
        "run http://127.0.0.1:1/ --secconds 5",
        "run http://127.0.0.1:1/ more",
        "run http://127.0.0.1:1/ --server",
        "run http://127.0.0.1:1/ --server Shop -- dotnet Shop.dll",
        "run http://127.0.0.1:1/ --secconds 5 --server -- dotnet Shop.dll",
        "run http://127.0.0.1:1/ -- dotnet Shop.dll",
        "run",
        "compare a",
        "compare a b --rounds x",
        "watch",
        "watch localhost;5080",
        "watch http://127.0.0.1:1 --times x",
        "runn http://127.0.0.1:1/",
        "zzz",
        "http://127.0.0.1:1/",
        "",
        "run http://127.0.0.1:1/ --threshold p95<500",
        "run http://127.0.0.1:1/ --threshold fromsend.p99.9<500",
        "observe http://127.0.0.1:1/ --threshold bloked.avg<5",
        "run http://127.0.0.1:1/ --threshold zzzzz<5",
        "run localhost:5080/x",
        "check localhost:5080/x",
        "run http://127.0.0.1:1/ --probe localhost:5080",
        "run http://127.0.0.1:1/ --base-url example.org:80",
        "run http://127.0.0.1:1/ --threshold sites.new==0",
        "observe http://127.0.0.1:1/ --threshold sites.new==0",
        "observe http://127.0.0.1:1/ --threshold p(95)<500",
        "report http://127.0.0.1:1/ --threshold blocked.avg<5",
        "report http://127.0.0.1:1/ -o state.pdf",
        "report http://127.0.0.1:1/ -o no-folder/state.json",
        "run http://127.0.0.1:1/ --baseline no-such-file.json",
        "run http://127.0.0.1:1/ --annotate gitlab",
        "report http://127.0.0.1:1/ --sources no-such-folder",
        "run http://127.0.0.1:1/ -o result.sarf",
        "export http://127.0.0.1:1/ -o x.yaml",
        "observe http://127.0.0.1:1/ --lifeline http://127.0.0.1:5099",
        "observe http://127.0.0.1:1/ --lifeline 0",
        "observe http://127.0.0.1:1/ --lifeline 5099 --lifeline 5098",
        "run http://127.0.0.1:1/ --seconds 1 --seconds 2",
        "run http://127.0.0.1:1/ --threads 0",
        "run http://127.0.0.1:1/ --delay -1",
        "run http://127.0.0.1:1/ --rate x",
        "run http://127.0.0.1:1/ --timeout x",
        "run http://127.0.0.1:1/ --header X",
        "run http://127.0.0.1:1/ --header X(1):x",
        "run http://127.0.0.1:1/ --header Expect:x",
        "run http://127.0.0.1:1/ --threshold p(95)",
        "run http://127.0.0.1:1/ --threshold p(95)<x",
        "run http://127.0.0.1:1/ --threshold p(101)<5",
        "run http://127.0.0.1:1/ --save no-folder/result.json",
        "run no-such-file.websurge",
        "compare no-such-file.json b.json",
        "check",
        "import",
        "import no-such-file.http -o orders.websurge",
        "export",
        "export -o orders.jmx",
        "report",
        "observe",
        "observe http://127.0.0.1:1/ --seconds 0",
        "ps more",
        "look",
        "look 1 -o state.txt",
        "attach",
        "attach 1 --when tired",
        "attach 1 --when starved",
        "detach",
        "detach 1 2",
        "start",
        "--vers",
    ];

    [Fact]
    public async Task Mistake_GetsASentence()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Commands/Mistakes");
        foreach (var typed in s_mistakes)
        {
            var tool = await Tool.RunAsync(typed.Split(' ', StringSplitOptions.RemoveEmptyEntries));

            tool.ExitCode.ShouldBe(2, typed);
            tool.Messages.Trim().ShouldNotContain('\n', typed);
            tool.Messages.ShouldNotContain("System.");
            tool.Results.ShouldBeEmpty(typed);
            texts.Add(
                $"asyncprobe {typed}".TrimEnd(), tool.Messages.Replace(Environment.CurrentDirectory, "(this folder)", StringComparison.Ordinal));
        }

        texts.ShouldBeApproved();
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
            run.Messages.ShouldContain("it is a folder");
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
        run.Messages.ShouldContain("Did you mean Album?");
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
        (await Tool.RunAsync("run", session, "--once", "--differences")).Results.ShouldContain("Different from WebSurge");
    }
}
