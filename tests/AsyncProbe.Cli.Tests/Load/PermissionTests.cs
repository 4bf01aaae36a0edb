using AsyncProbe.Cli.Load;

namespace AsyncProbe.Cli.Tests.Load;

/// <summary>Decisions that a session file or a server may not make for the user: which hosts get load, secrets or trust.</summary>
public class PermissionTests
{
    [Fact]
    public async Task Environment_IsListedByCheckAndRefusedByRun_UnlessAllowed()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        Environment.SetEnvironmentVariable("ASYNCPROBE_TEST_HOME", "from-the-environment");
        var session = folder.Write("e.websurge", $$$"""
            GET {{{server.Url}}}/echo?home={{%ASYNCPROBE_TEST_HOME%}} HTTP/1.1
            X-Inner: {{inner}}

            -----

            ----- Start WebSurge Options -----
            { "SessionVariables": { "inner": "%ASYNCPROBE_TEST_HOME%, 20%20 %E2%80" } }
            ----- End WebSurge Options -----

            """);

        var check = await Tool.RunAsync("check", session);
        var refused = await Tool.RunAsync("run", session, "--once");
        var compared = await Tool.RunAsync("compare", session, session, "--once", "--rounds", "1");
        var other = await Tool.RunAsync("run", session, "--once", "--allow-env", "PATH");
        server.Requests.ShouldBeEmpty();
        var allowed = await Tool.RunAsync("run", session, "--once", "--allow-env", "ASYNCPROBE_TEST_HOME");

        check.ExitCode.ShouldBe(0, check.Messages);
        check.Results.ShouldContain("environment variable ASYNCPROBE_TEST_HOME");
        check.Results.ShouldNotContain("from-the-environment");
        foreach (var tool in (Tool[])[refused, compared, other])
        {
            tool.ExitCode.ShouldBe(2);
            tool.Messages.ShouldContain("--allow-env ASYNCPROBE_TEST_HOME");

            // The folder's random name may contain it.
            tool.Messages.Replace(session, "", StringComparison.Ordinal).ShouldNotContain("E2");
        }

        allowed.ExitCode.ShouldBe(0, allowed.Messages);
        var seen = server.Requests.Single(request => request.PathAndQuery.StartsWith("/echo", StringComparison.Ordinal));
        seen.PathAndQuery.ShouldBe("/echo?home=from-the-environment");
        seen.Headers["X-Inner"].ShouldStartWith("from-the-environment, 20%20");
    }

    [Fact]
    public async Task Redirect_IsFollowed_OnTheSessionsOwnHosts()
    {
        await using var server = await TestServer.StartAsync();
        await using var second = await TestServer.StartAsync();
        // Another port of the same host, under the host's other name.
        server.Away = second.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/plain";

        var tool = await Tool.RunAsync("run", server.Url + "/away", "--once", "--json", "-H", "Authorization: Bearer abcdefgh");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((long)tool.Json["total"]!["statusCodes"]!["200"]!).ShouldBe(1);
        second.Requests.ShouldHaveSingleItem().Headers.Keys.ShouldNotContain("Authorization");
    }

    [Fact]
    public async Task Redirect_IsAFailureAndNotFollowed_WhenItLeavesThem()
    {
        await using var server = await TestServer.StartAsync();
        server.Away = "http://example.invalid/steal";

        var tool = await Tool.RunAsync("run", server.Url + "/away", "--requests", "3", "-w", "0", "--json");

        tool.ExitCode.ShouldBe(3);
        tool.Json["total"]!["failureReasons"]!.ToJsonString().ShouldContain("redirected to another host, example.invalid");
    }

    [Theory]
    [InlineData("http://a/x", "http://a:81/y", true)]
    [InlineData("https://a/x", "http://a/y", false)]
    [InlineData("http://a/x", "https://a/y", true)]
    [InlineData("http://a/x", "/y", true)]
    [InlineData("http://a/x", "//b/y", false)]
    [InlineData("http://a/x", "http://a.evil/y", false)]
    [InlineData("http://a/x", "http://127.0.0.1/y", false)]
    [InlineData("http://a/x", "file:///etc/passwd", false)]
    [InlineData("http://localhost/x", "http://[::1]:99/y", true)]
    public void Redirect_GoesToTheSessionsHostsOnly(string from, string to, bool followed)
    {
        using var response = new HttpResponseMessage(System.Net.HttpStatusCode.Found)
        {
            Headers = { Location = new Uri(to, UriKind.RelativeOrAbsolute) },
        };

        new Redirects([new Uri(from)]).Next(response, new Uri(from)).Target.ShouldBe(followed ? new Uri(new Uri(from), to) : null);
    }

    [Fact]
    public async Task Redirect_TurnsAFormIntoAGet_AndEndsALoop()
    {
        await using var server = await TestServer.StartAsync();
        server.Away = "/away";

        var tool = await Tool.RunAsync("run", server.Url + "/away", "--once", "--json");

        tool.Json["total"]!["failureReasons"]!.ToJsonString().ShouldContain("redirected more than 50 times");
        Redirects.MethodAfter(System.Net.HttpStatusCode.Found, HttpMethod.Post).ShouldBe(HttpMethod.Get);
        Redirects.MethodAfter(System.Net.HttpStatusCode.TemporaryRedirect, HttpMethod.Post).ShouldBe(HttpMethod.Post);
        Redirects.MethodAfter(System.Net.HttpStatusCode.SeeOther, HttpMethod.Put).ShouldBe(HttpMethod.Get);
    }
}
