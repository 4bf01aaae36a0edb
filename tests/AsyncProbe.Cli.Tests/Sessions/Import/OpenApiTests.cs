using System.Text;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.OpenApi;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class OpenApiTests
{
    private const string Shop = """
        { "openapi": "3.0.4", "info": { "title": "Shop", "version": "1" },
          "servers": [ { "url": "https://{place}.example/v1/", "variables": { "place": { "default": "api" } } } ],
          "paths": {
            "/orders/{id}": {
              "parameters": [ { "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "default": 7 } } ],
              "get": { "operationId": "getOrder", "parameters": [
                { "$ref": "#/components/parameters/Page" }, { "name": "tags", "in": "query", "schema": { "type": "array" }, "example": [ "a b", "c" ] },
                { "name": "ids", "in": "query", "explode": false, "schema": { "type": "array", "example": [ 1, 2 ] } },
                { "name": "kind", "in": "query", "required": true, "schema": { "type": "string", "enum": [ "new", "old" ] } },
                { "name": "filter", "in": "query", "style": "deepObject", "schema": { "type": "object", "properties": { "from": { "type": "string", "example": "x" }, "to": { "type": "string" } } } },
                { "name": "X-Tenant", "in": "header", "examples": { "one": { "value": "t1" } }, "schema": { "type": "string" } },
                { "name": "sort", "in": "query", "schema": { "type": "string" } }, { "name": "must", "in": "query", "required": true, "schema": { "type": "string" } } ] },
              "delete": { "responses": {} } },
            "/orders": {
              "get": { "responses": {} },
              "post": { "operationId": "createOrder", "requestBody": { "content": { "text/xml": {}, "application/json": { "schema": { "$ref": "#/components/schemas/Order" } } } } } } },
          "components": {
            "parameters": { "Page": { "name": "page", "in": "query", "schema": { "type": "integer" }, "example": 2 } },
            "schemas": { "Order": { "type": "object", "properties": { "name": { "type": "string", "example": "Ädä" }, "size": { "type": "integer", "default": 3 }, "parent": { "$ref": "#/components/schemas/Order" } } } } } }
        """;

    [Fact]
    public void Gets_AreTaken_WithExamplesAndDefaults()
    {
        var session = Read(Shop);

        session.Requests.Select(request => $"{request.Line} {request.Verb} {request.Url} [{request.Name}] {request.Header("X-Tenant")}")
            .ShouldBe(
        [
            "6 GET https://api.example/v1/orders/7?page=2&tags=a%20b&tags=c&ids=1,2&kind=new&filter%5Bfrom%5D=x&must={{must}} [getOrder] "
                + "t1",
            "15 GET https://api.example/v1/orders [GET /orders] ",
        ]);
        session.Diagnostics.Select(diagnostic => (diagnostic.Severity, diagnostic.Line))
            .ShouldBe([(Severity.Note, 3), (Severity.Note, 6), (Severity.Warning, 6)]);
        session.Diagnostics[0].Message.ShouldContain("DELETE /orders/{id}, POST /orders (createOrder)");
    }

    [Fact]
    public void OtherOperations_AreTaken_WhenTheyAreAskedFor()
    {
        var session = Read(Shop, "createOrder", "delete /orders/{id}");

        session.Requests.Select(request => $"{request.Verb} {request.Url} {request.Header("Content-Type")} {request.Body}").Skip(1)
            .ShouldBe(
        [
            "DELETE https://api.example/v1/orders/7  ",
            "GET https://api.example/v1/orders  ",
            "POST https://api.example/v1/orders application/json {\"name\":\"Ädä\",\"size\":3}",
        ]);
        Should.Throw<SessionException>(() => Read(Shop, "nothing")).Message.ShouldContain("has no operation nothing");
    }

    private static readonly string[] s_unclear =
    [
        """{ "get": { "parameters": [ { "$ref": "http://127.0.0.1:1/remote.json#/p" } ] } }""",
        """{ "get": {}, "bogus": 5 }""",
        """{ "get": { "parameters": [ { "$ref": "#/components/parameters/A" } ] } }""",
        """{ "$ref": "other.json" }""",
    ];

    [Fact]
    public void WhatIsNotUnderstood_IsADiagnosticWithItsPath()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Import/OpenApi");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read($$"""{ "openapi": "3.1.0", "paths": { "/a": {{text}} }, "components": { "parameters": { "A": { "$ref": "#/components/parameters/B" }, "B": { "$ref": "#/components/parameters/A" } } } }""").Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.Add("the shop", string.Join('\n', Read(Shop).Diagnostics.Select(diagnostic => diagnostic.Message)));
        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData("path", "", "[ \"a\", \"b c\" ]", "/x/a,b%20c")]
    [InlineData("path", "\"style\": \"label\",", "[ \"a\", \"b\" ]", "/x/.a,b")]
    [InlineData("path", "\"style\": \"label\", \"explode\": true,", "[ \"a\", \"b\" ]", "/x/.a.b")]
    [InlineData("path", "\"style\": \"matrix\",", "[ \"a\", \"b\" ]", "/x/;p=a,b")]
    [InlineData("path", "\"style\": \"matrix\", \"explode\": true,", "[ \"a\", \"b\" ]", "/x/;p=a;p=b")]
    [InlineData("path", "\"style\": \"matrix\", \"explode\": true,", "{ \"r\": 1, \"g\": 2 }", "/x/;r=1;g=2")]
    [InlineData("path", "\"explode\": true,", "{ \"r\": 1, \"g\": 2 }", "/x/r=1,g=2")]
    [InlineData("path", "", "{ \"r\": 1, \"g\": 2 }", "/x/r,1,g,2")]
    [InlineData("query", "", "[ 1, 2 ]", "/x/{{p}}?p=1&p=2")]
    [InlineData("query", "\"style\": \"pipeDelimited\", \"explode\": false,", "[ 1, 2 ]", "/x/{{p}}?p=1%7C2")]
    [InlineData("query", "\"allowReserved\": true,", "\"a/b:c d&e\"", "/x/{{p}}?p=a/b:c%20d%26e")]
    [InlineData("query", "\"content\": { \"application/json\": {} },", "{ \"a\": 1 }", "/x/{{p}}?p=%7B%22a%22%3A1%7D")]
    public void Parameter_IsWrittenInItsStyle(string place, string more, string example, string url)
    {
        var schema = more.Contains("content", StringComparison.Ordinal) ? "" : "\"schema\": {},";

        var session = Read(
            $$"""{ "openapi": "3.1.0", "servers": [ { "url": "http://h" } ], "paths": { "/x/{p}": { "get": { "parameters": [ { "name": "p", "in": "{{place}}", "required": true, {{more}} {{schema}} "example": {{example}} } ] } } } }""");

        session.Requests.Single().Url.ShouldBe("http://h" + url);
    }

    [Theory]
    [InlineData("application/json",
        """{ "allOf": [ { "properties": { "a": { "example": 1 } } }, { "properties": { "b": { "default": 2 } } } ], "properties": { "c": { "const": "3" } } }""",
        "application/json {\"a\":1,\"b\":2,\"c\":\"3\"}")]
    [InlineData("application/json",
        """{ "oneOf": [ { "type": "null" }, { "properties": { "a": { "example": 1 } } } ] }""",
        "application/json {\"a\":1}")]
    [InlineData("application/json",
        """{ "type": [ "array", "null" ], "items": { "properties": { "a": { "enum": [ "x", "y" ] } } } }""",
        "application/json [{\"a\":\"x\"}]")]
    [InlineData("application/json",
        """{ "properties": { "id": { "readOnly": true, "example": 7 }, "a": { "example": 1 } } }""",
        "application/json {\"a\":1}")]
    [InlineData("*/*",
        """{ "example": { "a": 1 } }""",
        "application/json {\"a\":1}")]
    [InlineData("text/plain",
        """{ "example": "a b" }""",
        "text/plain a b")]
    [InlineData("application/xml",
        """{ "properties": { "a": { "example": 1 } } }""",
        " ")]
    [InlineData("application/xml",
        """{ "example": "<a/>" }""",
        "application/xml <a/>")]
    [InlineData("application/x-www-form-urlencoded",
        """{ "properties": { "a": { "example": "1 &" } } }""",
        "application/x-www-form-urlencoded a=1%20%26")]
    public void Body_IsOfEveryPartOfItsSchema(string type, string schema, string body)
    {
        var session = Read(
            $$"""{ "openapi": "3.1.0", "servers": [ { "url": "http://h" } ], "paths": { "/x": { "post": { "requestBody": { "content": { "{{type}}": { "schema": {{schema}} } } } } } } }""",
            "POST /x");

        var request = session.Requests.Single();
        $"{request.Header("Content-Type")} {request.Body}".ShouldBe(body);
        session.Diagnostics.Any(diagnostic => diagnostic.Message.Contains("only has an example in JSON")).ShouldBe(body == " ");
    }

    [Fact]
    public void Servers_AreRelativeToThePlaceOfTheDocument()
    {
        var json = Encoding.UTF8.GetBytes("""{ "openapi": "3.0.0", "servers": [ { "url": "/v2" } ], "paths": { "/a": { "get": {} } } }""");

        OpenApiReader.Read(json, "x", [], new Uri("http://127.0.0.1:5080/docs/x.json")).Requests[0].Url.ShouldBe(
            "http://127.0.0.1:5080/v2/a");
        OpenApiReader.Read(json, "x", [], place: null).Diagnostics.ShouldContain(
            diagnostic => diagnostic.Message.Contains("use --base-url"));
    }

    /// <summary>A schema has ten parts, each of which has ten parts, and so on: written out, the body would never end.</summary>
    [Fact]
    public void Body_EndsSomewhere_WhenSchemasHoldEachOther()
    {
        string Schema(int number) => $$""" "s{{number}}": { "properties": { "v": { "example": 1 }, {{string.Join(", ", Enumerable.Range(0, 10).Select(part => $$"""
            "p{{part}}": { "$ref": "#/components/schemas/s{{(number + part) % 20}}" }
            """))}} } } """;

        var session = Read(
            $$"""{ "openapi": "3.0.1", "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/s0" } } } } } } }, "components": { "schemas": { {{string.Join(", ", Enumerable.Range(0, 20).Select(Schema))}} } } }""", "POST /a");

        session.Requests[0].Body.Length.ShouldBeInRange(100, 100_000);
    }

    [Fact]
    public void Reader_NeverThrows_OnRandomDocuments()
    {
        var words = Gen.Elements(
            "", "a", "3.0.1", "3.1.0", "2.0", "query", "path", "header", "cookie", "#/components/schemas/a", "#/components/parameters/a",
            "#/paths/~1a", "http://x/#/a", "/", "{a}", "application/json", "\uD800", "array", "object", "form", "deepObject");
        var names = Gen.Elements(
            "/a", "/{a}", "get", "post", "parameters", "name", "in", "schema", "$ref", "a", "example", "examples", "default", "enum",
            "properties", "allOf", "items", "requestBody", "content", "application/json", "servers", "url", "variables", "required",
            "style", "explode", "value", "responses", "operationId", "type");

        Prop.ForAll(RandomJson.Documents(names, words).ToArbitrary(), text =>
        {
            Session[] sessions =
            [
                Read(text), Read($$"""{ "openapi": "3.0.1", "paths": {{text}} }"""),
                Read(
                    $$"""{ "openapi": "3.1.0", "paths": { "/a": { "get": {{text}}, "parameters": [ {{text}} ] } }, "components": { "schemas": { "a": {{text}} }, "parameters": { "a": {{text}} } } }"""),
            ];
            return sessions.All(session =>
            {
                _ = SecretPlaceholders.Replace(session);
                return session.Requests.All(request => request.Line > 0);
            });
        }).QuickCheckThrowOnFailure();
    }

    private static Session Read(string text, params string[] operations) =>
        OpenApiReader.Read(Encoding.UTF8.GetBytes(text), "shop.json", operations, place: null);
}
