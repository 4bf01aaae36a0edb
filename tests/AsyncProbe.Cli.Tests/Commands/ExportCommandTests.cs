namespace AsyncProbe.Cli.Tests.Commands;

public class ExportCommandTests
{
    [Theory]
    [InlineData("x.http")]
    [InlineData("x.har")]
    public async Task ExportedSession_SendsTheSame_AsTheSessionItself(string name)
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("orders.websurge", $$"""
            GET /plain?a={{"{{"}}city{{"}}"}} HTTP/1.1
            X-Mark: one

            -----

            POST {{server.Url}}/echo HTTP/1.1
            Content-Type: application/json
            Authorization: Bearer old-old-old

            { "a": "{{"{{"}}city{{"}}"}}" }

            -----

            ----- Start WebSurge Options -----
            { "SiteBaseUrl": "{{server.Url}}/", "ReplaceAuthorization": "Bearer hush-hush-hush", "SessionVariables": { "city": "Oslo" } }
            ----- End WebSurge Options -----
            """.ReplaceLineEndings("\r\n"));
        var file = folder.File(name);

        (await Tool.RunAsync("run", session, "--once", "--probe", "off")).ExitCode.ShouldBe(0);
        var sent = Drain(server);
        var export = await Tool.RunAsync("export", session, "-o", file, "--with-secrets", "-t", "40");
        (await Tool.RunAsync("run", file, "--once", "--probe", "off")).ExitCode.ShouldBe(0);

        sent.ShouldBe(["GET /plain?a=Oslo one  ", "POST /echo  Bearer hush-hush-hush { \"a\": \"Oslo\" }"]);
        Drain(server).ShouldBe(sent);
        export.Messages.ShouldContain("2 requests written to");
        export.Messages.ShouldContain("- The load: 40 threads");
    }

    [Fact]
    public async Task Export_WritesNothing_WhenTheFormatOrTheSessionIsWrong()
    {
        using var folder = new TemporaryFolder();
        var session = folder.Write("a.http", "GET {{site}}/\n");

        (await Tool.RunAsync("export", "http://127.0.0.1:1/", "-o", folder.File("x.yaml"))).ExitCode.ShouldBe(2);
        var noServer = await Tool.RunAsync("export", session, "-o", folder.File("x.jmx"));
        var withServer = await Tool.RunAsync(
            "export", folder.Write("b.http", "GET /a\n"), "-o", folder.File("y.jmx"), "--base-url", "http://127.0.0.1:5080");

        noServer.ExitCode.ShouldBe(2);
        noServer.Messages.ShouldContain("set it, or use --base-url");
        File.Exists(folder.File("x.jmx")).ShouldBeFalse();
        File.Exists(folder.File("x.yaml")).ShouldBeFalse();
        withServer.ExitCode.ShouldBe(0, withServer.Messages);
        File.ReadAllText(folder.File("y.jmx")).ShouldContain("${__P(site,http://127.0.0.1:5080)}");
    }

    private static List<string> Drain(TestServer server)
    {
        var seen = new List<string>();
        while (server.Requests.TryDequeue(out var request))
        {
            seen.Add(
                $"{request.Method} {request.PathAndQuery} {request.Headers.GetValueOrDefault("X-Mark")} {request.Headers.GetValueOrDefault("Authorization")} {request.Body}");
        }

        return seen;
    }
}
