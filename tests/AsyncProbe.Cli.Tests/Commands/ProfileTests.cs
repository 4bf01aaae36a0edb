using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Blocked time as a flame graph, in files that flame graph viewers can open.</summary>
[SideBySide]
public class ProfileTests
{
    private const string Speedscope = """{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"GET /a\u001b[2J"}]},"profiles":[{"weights":[1.5]}]}""";

    [Fact]
    public async Task Report_WritesTheServersProfile_WithoutWhatATerminalObeys()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Profile = format => format == "speedscope" ? Speedscope : "GET /a\u001b[2J;Orders.Load;[Lock] 1500\n";
        using var folder = new TemporaryFolder();
        var (speedscope, collapsed) = (folder.File("blocked.speedscope.json"), folder.File("blocked.collapsed"));

        var tool = await Tool.RunAsync("report", server.Url + "/_threadpool?endpoint=a", "-o", speedscope, "-o", collapsed);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var json = JsonNode.Parse(File.ReadAllText(speedscope))!;
        ((string)json["shared"]!["frames"]![0]!["name"]!).ShouldBe("GET /a\uFFFD[2J");
        ((double)json["profiles"]![0]!["weights"]![0]!).ShouldBe(1.5);
        File.ReadAllText(collapsed).ShouldBe("GET /a\uFFFD[2J;Orders.Load;[Lock] 1500\n");
    }

    [Fact]
    public async Task Report_WritesDeepStacks_WithTheirLastFramesAndNumbers()
    {
        var stack = string.Join(';', Enumerable.Range(1, 120).Select(depth => $"SomeMiddleware.InvokeAsync{depth}")) + ";[Sleep] 1500\n";
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Profile = _ => stack;
        using var folder = new TemporaryFolder();
        var collapsed = folder.File("blocked.collapsed");

        var tool = await Tool.RunAsync("report", server.Url, "-o", collapsed);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        File.ReadAllText(collapsed).ShouldBe(stack);
    }

    [Theory]
    [InlineData("blocked.speedscope.json", "{}")]
    [InlineData("blocked.speedscope.json", "<html>")]
    [InlineData("blocked.collapsed", "<html>")]
    public async Task Report_SaysThatItIsNoProfile(string file, string answer)
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Profile = _ => answer;
        using var folder = new TemporaryFolder();

        var tool = await Tool.RunAsync("report", server.Url, "-o", folder.File(file));

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("not a profile");
        File.Exists(folder.File(file)).ShouldBeFalse();
    }

    [Fact]
    public async Task Report_SaysWhatMayBeWrong_WhenTheServerHasNoProfile()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();

        var tool = await Tool.RunAsync("report", server.Url, "-o", folder.File("blocked.collapsed"));

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("/_threadpool/profile?format=collapsed answers 404");
    }
}
