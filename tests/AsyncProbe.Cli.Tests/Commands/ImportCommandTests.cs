namespace AsyncProbe.Cli.Tests.Commands;

[SideBySide]
public class ImportCommandTests
{
    [Fact]
    public async Task HttpFile_SendsTheSame_AsItIsAndImported()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        folder.Write("http-client.env.json", $$"""{ "test": { "site": "{{server.Url}}" }, "$shared": { "site": "{{server.Url}}" } }""");
        var http = folder.Write("orders.http", """
            ### First
            GET {{site}}/plain?a=b%20c
            X-Mark: one

            ### Second
            POST {{site}}/echo
            Content-Type: application/json
            Authorization: Bearer hush-hush-hush

            { "a": 1 }
            """);
        var (session, full) = (folder.File("orders.websurge"), folder.File("full.websurge"));

        (await Tool.RunAsync("run", http, "--once")).ExitCode.ShouldBe(0);
        var sent = Drain(server);
        (await Tool.RunAsync("import", http, "-o", full, "--env", "test", "--with-secrets")).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("run", full, "--once")).ExitCode.ShouldBe(0);
        var imported = await Tool.RunAsync("import", http, "-o", session, "--env", "test");

        sent.Count.ShouldBe(2);
        sent[1].ShouldBe("POST /echo  Bearer hush-hush-hush { \"a\": 1 }");
        Drain(server).ShouldBe(sent);
        imported.ExitCode.ShouldBe(0, imported.Messages);
        imported.Messages.ShouldContain("2 requests written to");
        imported.Messages.ShouldContain("Secrets became placeholders ({{authorization}})");
        File.ReadAllText(session).ShouldNotContain("hush");
    }

    [Fact]
    public async Task Import_WritesNothing_WhenARequestCannotBeRead()
    {
        using var folder = new TemporaryFolder();
        var http = folder.Write("broken.http", "GET http://127.0.0.1:1/\n\n###\nFETCH nothing\n");

        var tool = await Tool.RunAsync("import", http, "-o", folder.File("x.websurge"));

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("broken.http(4): error: \"FETCH nothing\" ");
        File.Exists(folder.File("x.websurge")).ShouldBeFalse();
        (await Tool.RunAsync("run", http)).ExitCode.ShouldBe(2);
        (await Tool.RunAsync("import", folder.Write("x.txt", "GET http://x/ HTTP/1.1\r\n"), "-o", "y.websurge")).Messages.ShouldContain(
            "import reads a .http file");
    }

    [Fact]
    public async Task CurlCommand_IsRunAsItWasTyped()
    {
        await using var server = await TestServer.StartAsync();

        var run = await Tool.RunAsync("run", $"curl {server.Url}/echo -H 'X-Mark: one' -u ada:pw -d a=1", "--once", "--probe", "off");

        run.ExitCode.ShouldBe(0, run.Messages);
        Drain(server).ShouldBe(["POST /echo one Basic YWRhOnB3 a=1"]);
        (await Tool.RunAsync("check", "curl http://127.0.0.1/ -d @file")).Results.ShouldContain(
            "curl(1): warning: The request is inactive");
    }

    [Fact]
    public async Task Capture_SendsTheSame_AsItIsAndImported()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var har = folder.Write("shop.har", $$"""
            { "log": { "entries": [
              { "request": { "method": "GET", "url": "{{server.Url}}/plain?a=b%20c", "headers": [ { "name": "X-Mark", "value": "one" } ] } },
              { "request": { "method": "POST", "url": "{{server.Url}}/echo", "headers": [ { "name": "Authorization", "value": "Bearer hush-hush-hush" } ], "postData": { "mimeType": "text/plain", "text": "a\nb " } } }
            ] } }
            """);
        var session = folder.File("shop.websurge");

        (await Tool.RunAsync("run", har, "--once", "--probe", "off")).ExitCode.ShouldBe(0);
        var sent = Drain(server);
        (await Tool.RunAsync("import", har, "-o", session, "--with-secrets")).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("run", session, "--once", "--probe", "off")).ExitCode.ShouldBe(0);

        sent.ShouldBe(["GET /plain?a=b%20c one  ", "POST /echo  Bearer hush-hush-hush a\nb "]);
        Drain(server).ShouldBe(sent);
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
