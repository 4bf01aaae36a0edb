using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Curl;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class CurlTests
{
    [Theory]
    [InlineData("curl http://h/a -d a=1 -d 'b=2 x'", "POST http://h/a [Content-Type: application/x-www-form-urlencoded] a=1&b=2 x")]
    [InlineData("curl -G http://h/g?x=1 -d a=1 --data-urlencode 'b=c &+'", "GET http://h/g?x=1&a=1&b=c+%26%2B [] ")]
    [InlineData("curl -u ada:pw h/x -XPATCH", "PATCH http://h/x [Authorization: Basic YWRhOnB3] ")]
    [InlineData("curl -X Fetch http://h/x", "Fetch http://h/x [] ")]
    [InlineData("curl \\\n  http://h/ \\\n  -H 'Accept: a/b' \\\n  -H Accept:", "GET http://h/ [Accept: a/b] ")]
    [InlineData("curl http://h/ -H \"X: it's \\\"q\\\"\" -H 'E;'", "GET http://h/ [X: it's \"q\", E: ] ")]
    [InlineData("curl http://h/ --json '{\"a\":1}'", "POST http://h/ [Content-Type: application/json, Accept: application/json] {\"a\":1}")]
    [InlineData("curl http://h/ --data-raw $'a\\n\\'\\u00e9\\xc3\\xa9\\ud83d\\ude00'",
        "POST http://h/ [Content-Type: application/x-www-form-urlencoded] a\n'éé😀")]
    [InlineData("curl -sSLkIb a=1 http://h/", "HEAD http://h/ [Cookie: a=1] ")]
    [InlineData("curl http://u:p%20w@h/ui -A agent -e http://r",
        "GET http://h/ui [Authorization: Basic dTpwIHc=, User-Agent: agent, Referer: http://r] ")]
    [InlineData("$ curl http://h/ -H \"Authorization: Bearer $TOKEN\" | jq .a # all", "GET http://h/ [Authorization: Bearer {{TOKEN}}] ")]
    [InlineData("curl http://h/ -d b64_x", "POST http://h/ [Content-Type: application/x-www-form-urlencoded] b64_YjY0X3g=")]
    [InlineData("curl --proto '=https' --retry-connrefused -Q x --request-target /y --tls13-ciphers a http://h/o", "GET http://h/o [] ")]
    [InlineData("curl http://h/#x -o /dev/null -w '%{http_code}\\n'", "GET http://h/ [] ")]
    [InlineData("curl 'localhost:5000/proxy?url=http://a@example.org/'", "GET http://localhost:5000/proxy?url=http://a@example.org/ [] ")]
    [InlineData("curl 'http://h?x=http://a@b/'", "GET http://h?x=http://a@b/ [] ")]
    public void Command_IsReadAsCurlReadsIt(string command, string request)
    {
        var session = Read(command);

        session.Requests.Select(
            read => $"{read.Verb} {read.Url} "
                + $"[{string.Join(", ", read.Headers.Select(header => $"{header.Name}: {header.Value}"))}] {read.Body}")
                .ShouldBe([request]);
        session.Errors.ShouldBeEmpty();
    }

    [Fact]
    public void File_HoldsManyCommands_WithTheirLines()
    {
        var session = Read("""
            #!/bin/sh
            # first
            curl http://h/1 -d a=1 --next http://h/2

            curl \
              http://h/3; curl http://h/4 http://h/5
            """);

        session.Requests.Select(request => $"{request.Line} {request.Verb} {request.Url}").ShouldBe(
            ["3 POST http://h/1", "3 GET http://h/2", "5 GET http://h/3", "6 GET http://h/4", "6 GET http://h/5"]);
    }

    private static readonly string[] s_unclear =
    [
        "curl http://h/ --magic",
        "curl http://h/ -x http://proxy:1",
        "\ncurl http://h/ -d @file",
        "curl http://h/ -F a=@file",
        "curl http://h/ -T file",
        "curl http://h/ --data-urlencode a@file",
        "curl http://h/ -b jar",
        "curl http://h/ -H @headers",
        "curl http://h/{a,b}",
        "curl http://h/$(id)",
        "curl http://h/`id`",
        "curl 'http://h/",
        "curl http://h/ > out",
        "curl ^\"http://h/^\"",
        "curl http://h/\nwget http://h/",
        "curl http://h/ -u ada",
        "curl http://h/ -k",
        "curl http://h/$ID",
        "curl -X post http://h/",
        "curl -X GET http://h/ -d a",
        "curl http://h/ -X é",
        "curl -d a",
        "curl http://h/ -d",
    ];

    [Fact]
    public void WhatIsNotUnderstood_IsADiagnosticWithItsLine()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Import/Curl");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read(text).Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public void Command_IsLeftOut_WhenItSendsTooManyHeadersInAll()
    {
        var session = Read("curl" + string.Concat(Enumerable.Range(0, 150).Select(i => $" http://h/{i} -H 'A{i}: b'")));

        session.Requests.ShouldBeEmpty();
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Message.Contains("150 headers to each of 150 URLs"));
    }

    /// <summary>Each URL gets its own copy of these, so a text of 200 KB could become gigabytes.</summary>
    [Theory]
    [InlineData("-G -d x")]
    [InlineData("--url-query x")]
    [InlineData("-F a=x")]
    [InlineData("-d x")]
    [InlineData("-b a=x")]
    [InlineData("-H A:x")]
    [InlineData("-u x")]
    [InlineData("-A x")]
    public void Command_IsLeftOut_WhenItSendsTooMuchToManyUrls(string options)
    {
        var session = Read($"curl {options}{new string('x', 99_999)}{string.Concat(Enumerable.Repeat(" h/", 51))}");

        session.Requests.ShouldBeEmpty();
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Message.Contains("to each of 51 URLs"));
        Read($"curl {options}{new string('x', 9_999)}{string.Concat(Enumerable.Repeat(" h/", 51))}").Requests.Count.ShouldBe(51);
    }

    [Fact]
    public void Command_IsRead_WhenItSendsAsMuchToOneUrl() => Read($"curl -d {new string('x', 5_100_000)} h/").Requests.Count.ShouldBe(1);

    [Theory]
    [InlineData("curl", " h/", "")]
    [InlineData("", "curl h/\n", "")]
    [InlineData("", "curl --form a=@b h/\n", "inactive")]
    public void Reader_Stops_AfterTooManyRequests(string begin, string each, string note)
    {
        var session = Read(begin + string.Concat(Enumerable.Repeat(each, SessionLimits.Requests + 10)));

        session.Requests.Count.ShouldBe(SessionLimits.Requests + 1);
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Message == SessionLimits.TooManyRequests);
        session.Diagnostics[0].Message.ShouldContain(note);
    }

    [Fact]
    public async Task Reader_TakesLinearTime_WithManyPiecesOfData()
    {
        var text = "curl h/" + string.Concat(Enumerable.Repeat(" -d a=1 --url-query b=2", 200_000));

        var session = await Task.Run(() => Read(text)).WaitAsync(TimeSpan.FromSeconds(60));

        session.Requests[0].Body.Length.ShouldBe((4 * 200_000) - 1);
    }

    [Fact]
    public void Lines_AreCounted_InTextWithEscapes() =>
        Read("curl http://h/1 -d $'a\nb\n'\ncurl http://h/2").Requests.Select(request => request.Line).ShouldBe([1, 4]);

    [Fact]
    public void Reader_NeverThrows_OnRandomCommands()
    {
        var pieces = Gen.Elements(
            "curl ", "http://h/", " ", "\n", "\\\n", "\\", "'", "\"", "$'", "$", "$A", "${", "${B}", "$(", "`", "-d", "-d@", "-F", "a=b",
            "a=\"", ";type=", "-H", "X: y", "-u", "a:b", "-G", "-X", "--json", "--next", "--data-urlencode", "{{", "}}", "|", ";", "&", ">",
            "#", "^", "\\x", "\\ud83d", "\\U7fffffff", "\uFFFD", "é", "-", "--", "@", "://", "[");
        var texts = Gen.Choose(0, 40).SelectMany(length => Gen.ArrayOf(pieces, length)).Select(all => "curl " + string.Concat(all));

        Prop.ForAll(texts.ToArbitrary(), text =>
        {
            var session = Read(text);
            _ = SecretPlaceholders.Replace(session);
            return session.Requests.All(request => request.Line > 0);
        }).QuickCheckThrowOnFailure();
    }

    private static Session Read(string text) => CurlReader.Read(text, "requests.curl");
}
