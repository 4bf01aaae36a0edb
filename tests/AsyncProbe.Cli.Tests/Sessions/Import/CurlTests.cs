using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Curl;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
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

    [Theory]
    [InlineData("curl http://h/ --magic", nameof(Severity.Warning), 1, "--magic is not understood")]
    [InlineData("curl http://h/ -x http://proxy:1", nameof(Severity.Warning), 1, "--proxy is not understood")]
    [InlineData("\ncurl http://h/ -d @file", nameof(Severity.Warning), 2, "inactive, because its body is in another file")]
    [InlineData("curl http://h/ -F a=@file", nameof(Severity.Warning), 1, "its part \"a\" is a file")]
    [InlineData("curl http://h/ -T file", nameof(Severity.Warning), 1, "inactive, because its body is in another file")]
    [InlineData("curl http://h/ --data-urlencode a@file", nameof(Severity.Warning), 1, "inactive, because its body is in another file")]
    [InlineData("curl http://h/ -b jar", nameof(Severity.Warning), 1, "The cookies are in another file")]
    [InlineData("curl http://h/ -H @headers", nameof(Severity.Warning), 1, "The headers are in another file")]
    [InlineData("curl http://h/{a,b}", nameof(Severity.Warning), 1, "several URLs")]
    [InlineData("curl http://h/$(id)", nameof(Severity.Error), 1, "runs another command")]
    [InlineData("curl http://h/`id`", nameof(Severity.Error), 1, "runs another command")]
    [InlineData("curl 'http://h/", nameof(Severity.Error), 1, "has no end")]
    [InlineData("curl http://h/ > out", nameof(Severity.Error), 1, "reads or writes a file")]
    [InlineData("curl ^\"http://h/^\"", nameof(Severity.Error), 1, "prompt of Windows")]
    [InlineData("curl http://h/\nwget http://h/", nameof(Severity.Warning), 2, "\"wget\" is not curl")]
    [InlineData("curl http://h/ -u ada", nameof(Severity.Warning), 1, "ask for the password")]
    [InlineData("curl http://h/ -k", nameof(Severity.Note), 1, "give --insecure to run")]
    [InlineData("curl http://h/$ID", nameof(Severity.Warning), 1, "The variable {{ID}} has no value")]
    [InlineData("curl -X post http://h/", nameof(Severity.Warning), 1, "sends the verb post as it is typed; here it is sent as POST.")]
    [InlineData("curl -X GET http://h/ -d a", nameof(Severity.Warning), 1, "A GET request's body is not sent")]
    [InlineData("curl http://h/ -X é", nameof(Severity.Error), 1, "is not a verb that can be sent")]
    [InlineData("curl -d a", nameof(Severity.Warning), 1, "has no URL")]
    [InlineData("curl http://h/ -d", nameof(Severity.Warning), 1, "has no value")]
    public void WhatIsNotUnderstood_IsADiagnosticWithItsLine(string text, string severity, int line, string message) =>
        Read(text).Diagnostics.ShouldContain(
            diagnostic => diagnostic.Severity.ToString() == severity && diagnostic.Line == line && diagnostic.Message.Contains(message));

    [Fact]
    public void Command_IsLeftOut_WhenItSendsTooManyHeadersInAll()
    {
        var session = Read("curl" + string.Concat(Enumerable.Range(0, 150).Select(i => $" http://h/{i} -H 'A{i}: b'")));

        session.Requests.ShouldBeEmpty();
        session.Diagnostics.ShouldContain(d => d.Severity == Severity.Error && d.Message.Contains("150 headers to each of 150 URLs"));
    }

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
