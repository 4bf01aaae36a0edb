using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class HttpFileTests
{
    private const string Orders = """
        @host = http://127.0.0.1:5080
        @api = {{host}}/api

        ### All of them
        GET {{api}}/orders
            ?page=2
            &size=10 HTTP/1.1
        Accept: application/json
        # a comment among headers
        Host: elsewhere

        ###
        // @name Create
        POST {{api}}/orders HTTP/1.1
        Content-Type: application/json
        Content-Length: 5

        {
          "name": "{{customer}}",

          "size": 3
        }


        ### Third
        https://example.org/plain
        @host = http://127.0.0.1:6000

        ###

        # @name Later
        @host = http://127.0.0.1:7000
        DELETE {{host}}/orders/1
        """;

    [Fact]
    public void Requests_AreReadWithVariablesNamesHeadersAndBodies()
    {
        var session = Read(Orders, new() { ["customer"] = "Ada" });

        session.Requests.Select(request => $"{request.Line} {request.Verb} {request.Url} [{request.Name}]").ShouldBe(
        [
            "5 GET http://127.0.0.1:5080/api/orders?page=2&size=10 [All of them]",
            "14 POST http://127.0.0.1:5080/api/orders [Create]",
            "26 GET https://example.org/plain [Third]",
            "33 DELETE http://127.0.0.1:7000/orders/1 [Later]",
        ]);
        session.Requests[0].Headers.ShouldBe([new("Accept", "application/json")]);
        session.Requests[1].Headers.ShouldBe([new("Content-Type", "application/json")]);
        session.Requests[1].Body.ShouldBe("{\r\n  \"name\": \"Ada\",\r\n\r\n  \"size\": 3\r\n}");
        session.Errors.ShouldBeEmpty();
        // A variable is defined before its request, not among its headers.
        session.Diagnostics.Select(diagnostic => (diagnostic.Severity, diagnostic.Line))
            .ShouldBe([(Severity.Note, 10), (Severity.Warning, 27)]);
    }

    private static readonly string[] s_unclear =
    [
        "GET http://x/{{$guid}}",
        "GET http://x/\nAuthorization: Bearer {{login.response.body.$.token}}",
        "GET http://x/{{nobody}}",
        "GET http://x/\n\n### next\n# @no-redirect\nGET http://y/",
        "POST http://x/\n\n< body.json",
        "POST http://x/\n\na=1\n\n> {%\n client.test()\n%}",
        "FETCH http://x/",
        "GET http://x/\nno header",
        "@ = 5\nGET http://x/",
        "GET http://x/\n\nbody",
        "GET /relative",
        "GET http://ada:secret@h/",
        "# nothing",
        "GET http://x/{{$processEnv HOME}}",
    ];

    [Fact]
    public void WhatIsNotUnderstood_IsADiagnosticWithItsLine()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Import/HttpFile");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read(text).Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData("application/json", "# a\n{\n  // b\n  \"u\": \"http://y/#c\"\n}\n\n// d\n  # e", "{\r\n  \"u\": \"http://y/#c\"\r\n}")]
    [InlineData("text/markdown", "# heading\ntext\n// comment", "# heading\r\ntext")]
    public void Body_HasNoComments(string type, string written, string sent) =>
        Read($"POST http://x/\nContent-Type: {type}\n\n{written}").Requests.Single().Body.ShouldBe(sent);

    [Theory]
    [InlineData("text/plain", "# comment\n\n< ./a.json", true)]
    [InlineData("text/plain", "\n\n< ./a.json", true)]
    [InlineData("multipart/form-data; boundary=B", "--B\nContent-Disposition: form-data; name=\"a\"\n\n< ./1.png\n--B--", true)]
    [InlineData("multipart/form-data; boundary=B", "--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n< 2\n--B--", false)]
    [InlineData("text/plain", "1\n\n< 2", false)]
    public void Body_InAnotherFile_IsAnError(string type, string body, bool isError) =>
        Read($"POST http://x/\nContent-Type: {type}\n\n{body}").Errors.Count().ShouldBe(isError ? 1 : 0);

    [Fact]
    public void Values_AreOfTheNamedEnvironment_AndShared()
    {
        using var folder = new TemporaryFolder();
        folder.Write("http-client.env.json", """{ "$shared": { "a": "1", "b": "1" }, "dev": { "b": 2, "secret": { "provider": "x" } } }""");
        var place = Path.GetDirectoryName(folder.File("x"))!;

        HttpEnvironment.Read(place, "dev").ShouldBe(new Dictionary<string, string> { ["a"] = "1", ["b"] = "2" }, ignoreOrder: true);
        HttpEnvironment.Read(place, null)["b"].ShouldBe("1");
        Should.Throw<SessionException>(() => HttpEnvironment.Read(place, "prod")).Message.ShouldContain("it has dev.");
    }

    [Fact]
    public void Values_OfTheUsersOwnFile_Win()
    {
        using var folder = new TemporaryFolder();
        folder.Write("http-client.env.json", """{ "$shared": { "a": "1", "d": "1" }, "dev": { "a": "2", "b": "2", "c": "2" } }""");
        folder.Write("http-client.env.json.user", """{ "$shared": { "a": "3", "d": "3" }, "dev": { "b": "4" }, "mine": { "c": "5" } }""");

        HttpEnvironment.Read(folder.Path, "dev").ShouldBe(
            new Dictionary<string, string> { ["a"] = "2", ["b"] = "4", ["c"] = "2", ["d"] = "3" }, ignoreOrder: true);
        HttpEnvironment.Read(folder.Path, "mine")["c"].ShouldBe("5");
        Should.Throw<SessionException>(() => HttpEnvironment.Read(folder.Path, "prod")).Message.ShouldContain("it has dev, mine.");
    }

    [Fact]
    public void Values_AreAsWritten_WhenTheyAreNotTexts()
    {
        using var folder = new TemporaryFolder();
        folder.Write("http-client.env.json", """{ "dev": { "on": true, "off": false, "rate": 1.50 } }""");

        HttpEnvironment.Read(folder.Path, "dev").ShouldBe(
            new Dictionary<string, string> { ["on"] = "true", ["off"] = "false", ["rate"] = "1.50" }, ignoreOrder: true);
    }

    [Fact]
    public void Secrets_BecomePlaceholders_ThatAreNamed()
    {
        var session = Read("""
            @token = abcdefgh12345
            POST http://x/orders?api_key=hush123&page=2
            Authorization: Bearer {{token}}
            Cookie: session=hush
            Accept: text/html
            X-Trace: {{id}}

            { "user": "ada", "password": "hush" }
            """);

        var (safe, names) = SecretPlaceholders.Replace(session);

        var text = SessionWriter.Write(safe);
        text.ShouldNotContain("hush");
        text.ShouldNotContain("abcdefgh12345");
        text.ShouldContain("page=2");
        text.ShouldContain("Authorization: {{authorization}}");
        text.ShouldContain("\"password\": \"{{secret");
        text.ShouldContain("X-Trace: {{id}}");
        text.ShouldContain("Accept: text/html");
        names.Count.ShouldBe(4);
        names.ShouldBeUnique();
        // The imported session says what is missing.
        SessionReader.Read(text, "s.websurge").Diagnostics.ShouldContain(
            diagnostic => diagnostic.Message.Contains("{{authorization}} has no value"));
    }

    /// <summary>Each value uses the one before it a hundred times, so five lines would stand for gigabytes.</summary>
    [Fact]
    public void Values_AreLeftAsTheyAre_WhenTheyBecomeTooLong()
    {
        var uses = (string name) => string.Concat(Enumerable.Repeat($"{{{{{name}}}}}", 100));

        var session = Read($"@a = 1234567890\n@b = {uses("a")}\n@c = {uses("b")}\n@d = {uses("c")}\n@e = {uses("d")}\nGET http://h/{{{{e}}}}");

        session.Requests[0].Url.Length.ShouldBeLessThan(2 * SessionLimits.LengthOfValues);
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Line == 4 && d.Message.Contains("Use shorter values"));
    }

    [Fact]
    public void Reader_Stops_AfterTooManyRequests()
    {
        var session = Read(string.Concat(Enumerable.Repeat("GET http://h/\n###\n", SessionLimits.Requests + 10)));

        session.Requests.Count.ShouldBe(SessionLimits.Requests + 1);
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Message == SessionLimits.TooManyRequests);
    }

    [Fact]
    public void Reader_NeverThrows_OnRandomText()
    {
        var pieces = Gen.Elements(
            "###", "\n", "\r\n", " ", "@", "=", "{{", "}}", "$guid", "GET ", "POST ", "http://x/", "HTTP/1.1", ":", "a", "< f", "> {%",
            "# @name ", "//", "?a=b", "\uFFFD", "{{a}}");
        var texts = Gen.Choose(0, 40).SelectMany(length => Gen.ArrayOf(pieces, length)).Select(string.Concat);

        Prop.ForAll(texts.ToArbitrary(), text =>
        {
            var session = Read(text);
            _ = SecretPlaceholders.Replace(session);
            return session.Requests.All(request => request.Line > 0);
        }).QuickCheckThrowOnFailure();
    }

    private static Session Read(string text, Dictionary<string, string>? environment = null) =>
        HttpFileReader.Read(text, "orders.http", environment ?? []);
}
