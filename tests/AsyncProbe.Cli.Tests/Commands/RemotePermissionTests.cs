using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>This machine under its own name: the tool treats only localhost and loopback as local, so it asks for permission.</summary>
[SideBySide]
public class RemotePermissionTests
{
    [Fact]
    public async Task Load_IsRefused_WhenTheServerDoesNotAllowIt()
    {
        await using var server = await StartAsync();

        var tool = await RunAsync(server);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("/websurge-allow.txt");
        tool.Messages.ShouldContain("--allow-remote");
        server.Requests.Select(request => request.PathAndQuery).ShouldBe(["/websurge-allow.txt", "/robots.txt"]);
    }

    [Fact]
    public async Task Load_Runs_WhenTheFileIsThere()
    {
        await using var server = await StartAsync();
        server.AllowsLoad = true;

        (await RunAsync(server)).ExitCode.ShouldBe(0);
    }

    [Fact]
    public async Task Load_Runs_WhenRobotsAreTold()
    {
        await using var server = await StartAsync();
        server.Robots = "User-agent: *\n#Allow: WebSurge\n";

        (await RunAsync(server)).ExitCode.ShouldBe(0);
    }

    [Fact]
    public async Task Robots_AreReadToALimit()
    {
        await using var server = await StartAsync();
        server.Robots = new string('#', 2_000_000) + "Allow: WebSurge\n";

        (await RunAsync(server)).ExitCode.ShouldBe(2);
    }

    [Theory]
    [InlineData("--allow-remote")]
    [InlineData("--once")]
    public async Task Load_RunsUnasked_WhenToldSoOrForOnePass(string option)
    {
        await using var server = await StartAsync();

        (await RunAsync(server, option)).ExitCode.ShouldBe(0);

        server.Requests.ShouldAllBe(request => request.PathAndQuery == "/plain");
    }

    private static async Task<TestServer> StartAsync()
    {
        var addresses = await Dns.GetHostAddressesAsync(Dns.GetHostName(), AddressFamily.InterNetwork);
        return await TestServer.StartAsync(addresses[0].ToString());
    }

    private static Task<Tool> RunAsync(TestServer server, params string[] options) => Tool.RunAsync(
        ["run", $"http://{Dns.GetHostName()}:{new Uri(server.Url).Port}/plain", "--requests", "3", "-w", "0", "--probe", "off",
            .. options]);
}
