using System.Text;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Har;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class HarTests
{
    private const string Shop = """
        { "log": { "version": "1.2", "pages": [ { "request": { "url": "http://no/" } } ],
          "entries": [
            { "startedDateTime": "2026-01-01T00:00:00Z", "request": { "method": "GET", "url": "https://shop.example/a?x=1#part", "httpVersion": "h2",
                "headers": [ { "name": ":authority", "value": "shop.example" }, { "name": "Accept", "value": "*/*" }, { "name": "cookie", "value": "sid=live-session" }, { "name": "connection", "value": "keep-alive" } ],
                "cookies": [ { "name": "sid", "value": "live-session" } ] },
              "response": { "content": { "text": "{ \"request\": 1 }" } } },
            { "request": { "method": "POST", "url": "https://shop.example/login", "headers": [ { "name": "Content-Type", "value": "application/json" }, { "name": "X-CSRF-Token", "value": "live-csrf" } ],
                "postData": { "mimeType": "application/json", "text": "{\n  \"user\": \"ada\",\n  \"password\": \"live-password\"\n}" } } },
            { "request": { "method": "POST", "url": "https://shop.example/form", "cookies": [ { "name": "a", "value": "1" }, { "name": "b", "value": "2" } ],
                "postData": { "mimeType": "application/x-www-form-urlencoded", "params": [ { "name": "a", "value": "1%20" }, { "name": "b", "value": "2" } ] } } },
            { "request": { "method": "GET", "url": "wss://shop.example/live" } }
          ] } }
        """;

    [Fact]
    public void Requests_AreReadWithHeadersCookiesAndBodies()
    {
        var session = Read(Shop);

        session.Requests.Select(
            request => $"{request.Line} {request.Verb} {request.Url} "
                + $"[{string.Join(", ", request.Headers.Select(header => $"{header.Name}: {header.Value}"))}] {request.Body}").ShouldBe(
        [
            "3 GET https://shop.example/a?x=1 [Accept: */*, cookie: sid=live-session] ",
            "7 POST https://shop.example/login [Content-Type: application/json, X-CSRF-Token: live-csrf] {\n  \"user\": \"ada\",\n  "
                + "\"password\": \"live-password\"\n}",
            "9 POST https://shop.example/form [Cookie: a=1; b=2, Content-Type: application/x-www-form-urlencoded] a=1%20&b=2",
        ]);
        session.Diagnostics.Select(diagnostic => (diagnostic.Severity, diagnostic.Line)).ShouldBe([(Severity.Note, 11)]);
    }

    /// <summary>HAR 1.2 asks readers to ignore the mark.</summary>
    [Theory]
    [InlineData("shop.har")]
    [InlineData("shop.json")]
    public async Task ByteOrderMark_IsIgnored(string name)
    {
        using var folder = new TemporaryFolder();
        var file = folder.File(name);
        await File.WriteAllTextAsync(file, Shop, Encoding.UTF8);

        var session = await SessionFile.LoadAsync(file, new ImportSettings(), CancellationToken.None);

        session.Errors.ShouldBeEmpty();
        session.Requests.Select(request => request.Line).ShouldBe([3, 7, 9]);
    }

    [Fact]
    public void TokensAndCookies_BecomePlaceholders()
    {
        var (safe, names) = SecretPlaceholders.Replace(Read(Shop));

        var text = SessionWriter.Write(SavedBodies.Prepare(safe));
        text.ShouldNotContain("live-s");
        text.ShouldNotContain("live-c");
        text.ShouldNotContain("live-p");
        text.ShouldContain("X-CSRF-Token: {{X-CSRF-Token}}");
        text.ShouldContain("\"user\": \"ada\"");
        names.ShouldContain("cookie");
    }

    private static readonly string[] s_unclear =
    [
        """{ "method": "GET", "url": "http://h/", "postData": { "text": "x" } }""",
        """{ "method": "POST", "url": "http://h/", "postData": { "mimeType": "multipart/form-data", "params": [ { "name": "f", "fileName": "a.png" } ] } }""",
        """{ "url": "http://h/", "headers": [ { "name": "a b", "value": "" } ] }""",
        """{ "url": "data:x" }""",
        """{ "url": "http://h/" """,
    ];

    [Fact]
    public void WhatIsNotUnderstood_IsADiagnostic()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Import/Har");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read($$"""{ "log": { "entries": [ { "request": {{text}} } ] } }""").Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.Add("the shop", string.Join('\n', Read(Shop).Diagnostics.Select(diagnostic => diagnostic.Message)));
        texts.ShouldBeApproved();
    }

    /// <summary>The reader gets the document in pieces: a request may be split anywhere, and answers are longer than any buffer.</summary>
    [Fact]
    public void Capture_OfAHundredMegabytes_IsReadInBoundedMemory()
    {
        using var capture = new LargeCapture(entries: 100, answerBytes: 1024 * 1024);
        var before = GC.GetAllocatedBytesForCurrentThread();

        var session = HarReader.Read(capture, "large.har");

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        capture.Position.ShouldBeGreaterThan(100 * 1024 * 1024);
        session.Requests.Count.ShouldBe(100);
        session.Requests.Select(request => request.Body).ShouldBe(Enumerable.Range(0, 100).Select(i => $"{{ \"entry\": {i} }}"));
        session.Requests[^1].Line.ShouldBe(101);
        session.Diagnostics.ShouldBeEmpty();
        // The total allocated is more than was held at any one time.
        allocated.ShouldBeLessThan(40L * 1024 * 1024);
    }

    [Fact]
    public void Body_IsNotTaken_WhenItIsLongerThanTheLimit()
    {
        var text = new string('é', HarReader.LongestText);

        var session = Read(
            $$"""{ "log": { "entries": [ { "request": { "method": "POST", "url": "http://h/", "postData": { "text": "\u0041{{text}}" } } }, { "request": { "url": "http://h/2" } } ] } }""");

        session.Requests.Select(request => (request.Inactive, request.Body)).ShouldBe([(true, ""), (false, "")]);
        session.Diagnostics.ShouldContain(diagnostic => diagnostic.Message.Contains("1 MB"));
    }

    [Fact]
    public void Reader_NeverThrows_OnRandomCaptures()
    {
        var words = Gen.Elements(
            "", "a", "http://h/", "GET", "POST", "multipart/form-data; boundary=x", "\uD800", "\r\n", "base64", ":a", "cookie", "--\r\n",
            "password");
        var names = Gen.Elements(
            "log", "entries", "request", "method", "url", "headers", "cookies", "name", "value", "postData", "params", "text", "mimeType",
            "encoding", "fileName", "response");

        Prop.ForAll(RandomJson.Documents(names, words).ToArbitrary(), text =>
        {
            Session[] sessions =
            [
                Read(text),
                Read($$"""{ "log": { "entries": [ { "request": {{text}} }, {{text}} ] } }"""),
                Read($$"""{ "log": {{text}} }"""),
            ];
            return sessions.All(session =>
            {
                _ = SecretPlaceholders.Replace(session);
                return session.Requests.All(request => request.Line > 0);
            });
        }).QuickCheckThrowOnFailure();
    }

    private static Session Read(string text) => HarReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "shop.har");
}
