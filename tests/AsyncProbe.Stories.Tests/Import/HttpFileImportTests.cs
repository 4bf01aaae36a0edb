using AsyncProbe.Stories.Tests.Export;

namespace AsyncProbe.Stories.Tests.Import;

/// <summary>Compares what a .http file sends from the command and from httpyac.</summary>
[SideBySide]
public sealed class HttpFileImportTests
{
    /// <summary>The traps: nested and environment variables, multi-line queries, comments, names, empty lines in a body.</summary>
    private const string Requests = """
        @site = $URL
        @api = {{site}}/api
        @word = two words
        # a comment
        // another

        GET {{api}}/first

        ### All of them
        GET {{api}}/orders
            ?page=2
            &size=10 HTTP/1.1
        Accept: application/json
        # a comment among headers
        X-Word: {{word}} and {{color}}

        ###
        # @name create
        POST {{api}}/orders HTTP/1.1
        Content-Type: application/json

        # a comment before a body
        {
          "name": "{{customer}}",
          // a comment in a body

          "size": 3
        # another
        }

        // a comment after a body

        ### Form
        POST {{api}}/form
        Content-Type: application/x-www-form-urlencoded

        a=1&b=%20x

        ### No body, another verb
        DELETE {{site}}/orders/1
        Authorization: Bearer abc

        ### No verb
        {{site}}/plain?q=a%20b&q=c

        ###
        PATCH {{api}}/orders/1
        Content-Type: text/plain

        one line
        """;

    [Fact]
    public async Task Requests_SendTheSame_AsWithHttpyac()
    {
        if (Programs.FindFolder("httpyac") is not { } folder)
        {
            Programs.Missing("httpyac", "npm", "httpyac");
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var place = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "http")).FullName;
        var file = Path.Combine(place, "traps.http");
        await File.WriteAllTextAsync(file, Requests.Replace("$URL", server.Address.ToString().TrimEnd('/'), StringComparison.Ordinal));
        await File.WriteAllTextAsync(
            Path.Combine(place, "http-client.env.json"), """{ "dev": { "customer": "Ada", "color": "red" }, "prod": { "customer": "Bob" } }""");

        await EngineProcess.RunAsync(place, Path.Combine(folder, "httpyac"), "send", "traps.http", "--all", "--env", "dev", "--output", "none");
        var expected = server.Drain();
        var run = await AsyncProbeCommand.RunAsync("run", file, "--env", "dev", "--once", "--probe", "off");

        run.ExitCode.ShouldBe(0, run.Messages);
        expected.Count.ShouldBe(7);
        WithPlainBreaks(server.Drain()).ShouldBe(expected);
    }

    [Fact]
    public async Task ExportedRequests_SendTheSame_WithHttpyac()
    {
        if (Programs.FindFolder("httpyac") is not { } folder)
        {
            Programs.Missing("httpyac", "npm", "httpyac");
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "clients", "httpyac");
        var expected = await session.RunOnceAsync();
        var file = await session.ExportAsync("http");

        await EngineProcess.RunAsync(
            Path.GetDirectoryName(file)!, Path.Combine(folder, "httpyac"), "send", Path.GetFileName(file), "--all", "--output", "none");
        var sent = server.Drain();
        var read = await session.RunOnceAsync(file);

        expected.Count.ShouldBe(7);
        sent.ShouldBe(WithPlainBreaks(expected));
        read.ShouldBe(expected);
    }

    /// <summary>The lines of a body end as in WebSurge; httpyac ends them with only a line feed.</summary>
    private static IEnumerable<string> WithPlainBreaks(List<string> requests) =>
        requests.Select(request => request.Replace("\r\n", "\n", StringComparison.Ordinal));
}
