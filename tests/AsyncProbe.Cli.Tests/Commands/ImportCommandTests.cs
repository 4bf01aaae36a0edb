namespace AsyncProbe.Cli.Tests.Commands;

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
        tool.Messages.ShouldContain("broken.http(4): error: \"FETCH nothing\" is not a request line");
        File.Exists(folder.File("x.websurge")).ShouldBeFalse();
        (await Tool.RunAsync("run", http)).ExitCode.ShouldBe(2);
        (await Tool.RunAsync("import", folder.Write("x.txt", "GET http://x/ HTTP/1.1\r\n"), "-o", "y.websurge")).Messages.ShouldContain("import reads a .http file");
    }

    private static List<string> Drain(TestServer server)
    {
        var seen = new List<string>();
        while (server.Requests.TryDequeue(out var request))
        {
            seen.Add($"{request.Method} {request.PathAndQuery} {request.Headers.GetValueOrDefault("X-Mark")} {request.Headers.GetValueOrDefault("Authorization")} {request.Body}");
        }

        return seen;
    }
}
