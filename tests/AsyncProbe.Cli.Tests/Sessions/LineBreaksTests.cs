using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Export;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Curl;

namespace AsyncProbe.Cli.Tests.Sessions;

/// <summary>.NET treats some characters as line breaks that a JSON string may contain.</summary>
[Trait("Category", "Logic")]
public class LineBreaksTests
{
    private const string Json = "{ \"a\": \"1\u20282\u20293\u00854\f5\" }";

    [Fact]
    public void HttpFile_KeepsThem() =>
        HttpFileReader.Read($"POST http://x/\rContent-Type: application/json\r\n\n{Json}", "x.http", []).Requests.Single().Body.ShouldBe(Json);

    [Fact]
    public void Curl_KeepsThem() => CurlReader.Read($"curl http://x/ -d '{Json}'", "curl").Requests.Single().Body.ShouldBe(Json);

    [Fact]
    public void SavedSession_KeepsThem() => SavedBodies.Prepare(SessionOf($"{Json}\n\r1\r\n2")).Requests.Single().Body.ShouldBe($"{Json}\r\n\r\n1\r\n2");

    [Fact]
    public void ExportedHttpFile_KeepsThem() =>
        Exporter.Write(ExportPlanner.Create(SessionOf(Json), new() { WithSecrets = true }), "x.http").Text.ShouldContain(Json);

    private static Session SessionOf(string body) => new()
    {
        Source = "x.json",
        Requests = [new() { Verb = "POST", Url = "http://x/", Headers = [new("Content-Type", "application/json")], Body = body }],
    };
}
