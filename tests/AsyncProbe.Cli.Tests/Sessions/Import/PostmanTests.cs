using System.Text;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Postman;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
[SideBySide]
[Trait("Category", ApprovedTexts.Category)]
public class PostmanTests
{
    private const string Shop = """
        {
          "info": { "name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
          "variable": [ { "key": "site", "value": "http://old" }, { "key": "api", "value": "{{site}}/api" }, { "key": "id", "value": "7" } ],
          "auth": { "type": "bearer", "bearer": [ { "key": "token", "value": "{{token}}" } ] },
          "item": [
            { "name": "Orders", "item": [
              { "name": "one", "request": { "method": "GET",
                "header": [ { "key": "Accept", "value": "text/html" }, { "key": "X-Off", "value": "1", "disabled": true } ],
                "url": { "raw": "x", "host": [ "{{api}}" ], "path": [ "orders", ":order", "a b" ],
                  "query": [ { "key": "q", "value": "a & b" }, { "key": "off", "value": "1", "disabled": true }, { "key": "flag", "value": null } ],
                  "variable": [ { "key": "order", "value": "{{id}}" } ] } } },
              { "name": "form", "request": { "method": "POST", "auth": { "type": "noauth" }, "url": "{{api}}/form",
                "body": { "mode": "urlencoded", "urlencoded": [ { "key": "a", "value": "1 &ü" }, { "key": "b", "value": "x", "disabled": true }, { "key": "c", "value": "" } ] } } }
            ] },
            { "name": "text", "request": { "method": "PUT", "auth": { "type": "basic", "basic": [ { "key": "username", "value": "ada" }, { "key": "password", "value": "secret-word" } ] },
              "url": { "protocol": "http", "host": [ "example", "org" ], "port": "81", "path": [ "" ] },
              "body": { "mode": "raw", "raw": "{\n  \"id\": {{id}}\n}", "options": { "raw": { "language": "json" } } } } },
            { "name": "parts", "request": { "method": "POST", "auth": { "type": "apikey", "apikey": [ { "key": "key", "value": "k" }, { "key": "value", "value": "v v" }, { "key": "in", "value": "query" } ] },
              "url": "http://example.org/parts", "body": { "mode": "formdata", "formdata": [ { "key": "a", "value": "line\r\nb64_x", "type": "text" } ] } } }
          ]
        }
        """;

    [Fact]
    public void Requests_AreReadWithVariablesFoldersAuthorizationAndBodies()
    {
        var session = Read(Shop, new() { ["site"] = "http://127.0.0.1:5080", ["token"] = "live-token-1" });

        session.Requests.Select(
            request => $"{request.Line} {request.Verb} {request.Url} [{request.Name}] {request.Header("Authorization")}").ShouldBe(
        [
            "7 GET http://127.0.0.1:5080/api/orders/7/a%20b?q=a%20%26%20b&flag [Orders / one] Bearer live-token-1",
            "12 POST http://127.0.0.1:5080/api/form [Orders / form] ",
            "15 PUT http://example.org:81/ [text] Basic YWRhOnNlY3JldC13b3Jk",
            "18 POST http://example.org/parts?k=v%20v [parts] ",
        ]);
        session.Requests[0].Headers.Select(header => header.Name).ShouldBe(["Accept", "Authorization"]);
        session.Requests[1].Body.ShouldBe("a=1%20%26%C3%BC&c=");
        session.Requests[1].Header("Content-Type").ShouldBe("application/x-www-form-urlencoded");
        session.Requests[2].Body.ShouldBe("{\n  \"id\": 7\n}");
        session.Requests[2].Header("Content-Type").ShouldBe("application/json");
        Encoding.UTF8.GetString(BodyBytes.Encode(session.Requests[3], session.Requests[3].Body).Bytes)
            .ShouldContain("name=\"a\"\r\n\r\nline\r\nb64_x\r\n--");
        session.Diagnostics.ShouldBeEmpty();
    }

    // In base64, a user could neither see the variable nor give it a value.
    [Theory]
    [InlineData("localhost:5000/proxy?url=http://a@example.org/", "http://localhost:5000/proxy?url=http://a@example.org/")]
    [InlineData("https://localhost:5000/proxy?url=http://a@example.org/", "https://localhost:5000/proxy?url=http://a@example.org/")]
    public void Scheme_IsOnlyAtTheStartOfAUrl(string typed, string read) => Read(
        $$"""{ "info": {}, "item": [ { "request": { "method": "GET", "url": "{{typed}}" } } ] }""").Requests.Single().Url.ShouldBe(read);

    [Theory]
    [InlineData("json", "text/plain", "{ // a\r\n \"u\": \"http://x \\\" /*\", /* b\n */ \"v\": {{a//b}} } /* c", "{ \n \"u\": \"http://x \\\" /*\",  \"v\": {{a//b}} } ")]
    [InlineData("", "application/problem+json", "1 // a", "1 ")]
    [InlineData("", "text/plain", "1 // a", "1 // a")]
    [InlineData("javascript", "application/json", "1 // a", "1 // a")]
    public void Comments_OfJsonBodies_AreNotSent(string language, string type, string written, string sent) => Read(
        $$$"""
        { "info": {}, "item": [ { "request": { "method": "POST", "url": "http://h/", "header": [ { "key": "Content-Type", "value": "{{{type}}}" } ],
          "body": { "mode": "raw", "raw": {{{System.Text.Json.JsonSerializer.Serialize(written)}}}, "options": { "raw": { "language": "{{{language}}}" } } } } } ] }
        """).Requests.Single().Body.ShouldBe(sent);

    [Fact]
    public void Credentials_StayAVariable_WhileTheirVariablesHaveNoValue()
    {
        const string Basic = """
            { "info": { "schema": "x/v2.1.0/y" }, "item": [ { "request": { "url": "http://x/", "auth": { "type": "basic",
              "basic": { "username": "{{user}}", "password": "{{password}}" } } } } ] }
            """;

        var without = Read(Basic, new() { ["user"] = "ada" });

        without.Requests[0].Header("Authorization").ShouldBe("Basic {{basic_credentials}}");
        without.Diagnostics.ShouldContain(diagnostic => diagnostic.Message.Contains("{{basic_credentials}}", StringComparison.Ordinal));
        var with = Read(Basic, new() { ["user"] = "ada", ["password"] = "secret-word" });
        with.Requests[0].Header("Authorization").ShouldBe("Basic YWRhOnNlY3JldC13b3Jk");
        with.Diagnostics.ShouldBeEmpty();
    }

    private static readonly string[] s_unclear =
    [
        """{ "request": "{{host}}/a" }""",
        """{ "request": "http://x/{{$guid}}" }""",
        """{ "request": "http://x/{{nobody}}" }""",
        """{ "request": { "url": "http://x/", "auth": { "type": "hawk" } } }""",
        """{ "request": { "url": "http://x/", "auth": { "type": "basic", "basic": { "username": "ada", "password": "{{password}}" } } } }""",
        """{ "request": { "url": "http://x/", "method": "POST", "body": { "mode": "file" } } }""",
        """{ "request": { "url": "http://x/", "method": "POST", "body": { "mode": "formdata", "formdata": [ { "key": "f", "type": "file" } ] } } }""",
        """{ "request": { "url": "http://x/", "method": "POST", "body": { "mode": "magic" } } }""",
        """{ "request": { "url": "http://x/", "header": [ { "key": "a b", "value": "1" } ] } }""",
        """{ "request": { "method": "GET" } }""",
        """{ "name": "odd" }""",
        """{ "request": "http://x/", "event": [ { "listen": "prerequest", "script": { "exec": [ "pm.x()" ] } } ] }""",
        """{ "name": "t", "request": "http://x/", "event": [ { "listen": "test", "script": { "exec": [ "pm.x()" ] } } ] }""",
        """{ "request": { "url": "http://x/", "body": { "mode": "raw", "raw": "x" } }, "protocolProfileBehavior": { "disableBodyPruning": true } }""",
    ];

    [Fact]
    public void WhatIsNotUnderstood_IsADiagnosticWithLineAndPath()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Import/Postman");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read($$"""{ "info": { "schema": "x/v2.1.0/y" }, "item": [{{"\n"}}{{text}} ] }""").Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public void Variables_EndSomewhere_WhenTheyHoldEachOther()
    {
        var session = Read("""
            { "info": { "schema": "/v2.1" }, "variable": [ { "key": "a", "value": "{{b}}{{b}}{{b}}" }, { "key": "b", "value": "{{a}}{{a}}{{a}}" } ],
              "item": [ { "request": "http://x/{{a}}" } ] }
            """);

        session.Diagnostics.ShouldContain(diagnostic => diagnostic.Message.Contains("grow beyond all bounds"));
    }

    [Fact]
    public void Secrets_BecomePlaceholders_WithTheNamesOfTheirVariables()
    {
        var secrets = new ImportedSecrets();
        secrets.Add("token", "live-token-1");
        var session = PostmanReader.Read(
            Encoding.UTF8.GetBytes(Shop.Replace("text/html", "live-token-1")), "s", new Dictionary<string,
                string> { ["site"] = "http://h", ["token"] = "live-token-1" }, secrets);

        var (safe, names) = SecretPlaceholders.Replace(session);

        var text = SessionWriter.Write(SavedBodies.Prepare(safe));
        text.ShouldNotContain("live-token-1");
        text.ShouldNotContain("YWRhOnNlY3JldC13b3Jk");
        text.ShouldContain("Authorization: Bearer {{token}}");
        text.ShouldContain("Accept: {{token}}");
        text.ShouldContain("{\r\n  \"id\": 7\r\n}");
        names.ShouldBe(["token", "authorization"], ignoreOrder: true);
    }

    [Fact]
    public void Placeholder_IsOne_WhereTheValueIsOne()
    {
        SessionRequest Request(string cookie) => new() { Verb = "GET", Url = "http://x/", Headers = [new("Cookie", cookie)] };

        var (safe, names) = SecretPlaceholders.Replace(
            new Session { Source = "s", Requests = [Request("a=1"), Request("a=1"), Request("a=2")] });

        safe.Requests.Select(request => request.Headers[0].Value).ShouldBe(["{{cookie}}", "{{cookie}}", "{{cookie2}}"]);
        names.ShouldBe(["cookie", "cookie2"]);
    }

    [Fact]
    public void Reader_NeverThrows_OnRandomCollections()
    {
        var words = Gen.Elements(
            "", "a", "{{a}}", "{{$guid}}", "http://x/", "b64_", "raw", "urlencoded", "formdata", "graphql", "file", "bearer", "basic",
            "apikey", "oauth2", "\uD800", "\r\n", "/v2.1", ":", "#", "CONNECT", "query", "test");
        var names = Gen.Elements(
            "info", "schema", "item", "request", "url", "host", "path", "query", "variable", "key", "value", "header", "body", "mode",
            "raw", "urlencoded", "formdata", "graphql", "auth", "type", "bearer", "basic", "apikey", "event", "script", "exec", "method",
            "name", "disabled", "port");

        Prop.ForAll(RandomJson.Documents(names, words).ToArbitrary(), text =>
        {
            Session[] sessions = [Read(text), Read($$"""{ "item": [ { "request": {{text}} }, {{text}} ] }""")];
            return sessions.All(session =>
            {
                _ = SecretPlaceholders.Replace(session);
                return session.Diagnostics.All(diagnostic => diagnostic.Line > 0) && session.Requests.All(request => request.Line > 0);
            });
        }).QuickCheckThrowOnFailure();
    }

    private static Session Read(string text, Dictionary<string, string>? environment = null) =>
        PostmanReader.Read(Encoding.UTF8.GetBytes(text), "shop.json", environment ?? [], new ImportedSecrets());
}
