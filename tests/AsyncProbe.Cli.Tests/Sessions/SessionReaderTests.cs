using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

[Trait("Category", ApprovedTexts.Category)]
public class SessionReaderTests
{
    private const string Dashes = "------------------------------------------------------------------";

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    public void Reader_ReadsEveryPart_WhateverTheLineBreaks(string newLine)
    {
        var session = Read(string.Join(newLine,
            "GET http://localhost/a b?q=1 HTTP/1.1", "Accept: */*", "Websurge-Request-Name: First", "", "", Dashes, "",
            "POST http://localhost/c HTTP/2.0", "Content-Type: text/plain", "Websurge-Request-Inactive: 1", "", "line 1", "", "line 2", "",
            Dashes, "",
            "", "----- Start WebSurge Options -----", "", "{ \"LastThreads\": 7, \"SecondsToRun\": 3 }", "", "// a comment", "",
            "----- End WebSurge Options -----", ""));

        session.Requests.Count.ShouldBe(2);
        session.Requests[0].Url.ShouldBe("http://localhost/a b?q=1");
        session.Requests[0].Name.ShouldBe("First");
        session.Requests[0].Headers.ShouldBe([new("Accept", "*/*")]);
        session.Requests[1].Body.ShouldBe("line 1\r\n\r\nline 2");
        session.Requests[1].Inactive.ShouldBeTrue();
        session.Requests[1].Line.ShouldBe(8);
        session.Options.Threads.ShouldBe(7);
        session.Options.Seconds.ShouldBe(3);
    }

    [Fact]
    public void Reader_IgnoresTheByteOrderMark_WhenTheFileHasOne() =>
        Read("\uFEFFGET http://localhost/ HTTP/1.1\r\n").Requests.Single().Verb.ShouldBe("GET");

    [Fact]
    public void Reader_CutsTheEmbeddedResponseOff_WhenTheRequestWasSavedAfterARun()
    {
        var session = Read(
            $"POST http://localhost/ HTTP/1.1\n\nbody\n\nHTTP/1.1 200 OK\nX: y\n\n<html>\n\n{Dashes}\n\nGET http://localhost/2 HTTP/1.1\n");

        session.Requests.Select(request => request.Body).ShouldBe(["body", ""]);
        session.Diagnostics.ShouldContain(diagnostic => diagnostic.Line == 5 && diagnostic.Message.Contains("saved response"));
    }

    [Theory]
    [InlineData("GET http://localhost/", "no URL", 1)]
    [InlineData("GET httpstatus/1 HTTP/1.1", "begin a relative URL with /", 1)]
    [InlineData("G:T http://localhost/ HTTP/1.1", "not an HTTP verb", 1)]
    [InlineData("POST http://localhost/ HTTP/1.1\n\nb64_%%%", "not base64", 1)]
    public void Reader_ReportsAnError_WhenTheRequestCannotBeSent(string text, string message, int line)
    {
        var errors = Read(text + "\n").Errors.ToList();

        errors.ShouldHaveSingleItem();
        errors[0].Line.ShouldBe(line);
        errors[0].Message.ShouldContain(message);
    }

    private static readonly string[] s_unclear =
    [
        "GET http://localhost/ HTTP/1.1\nOrigin:\n",
        "GET http://localhost/ HTTP/1.1\nno colon\n",
        "GET http://localhost/ HTTP/1.1\nWebsurge-Request-Inactive: 0\n",
        "GET http://localhost/ HTTP/1.1\nWebsurge-Request-Colour: red\n",
        "GET http://localhost/{{who}} HTTP/1.1\n",
        "GET http://localhost/ HTTP/1.1\n\n------  \n\nGET http://localhost/2 HTTP/1.1\n",
        "GET http://localhost/ HTTP/1.1\n\n-----\n------\nGET http://localhost/2 HTTP/1.1\n",
        "POST http://localhost/ HTTP/1.1\n\na\n----\nb\n",
        "GET http://localhost/ HTTP/1.1\n\n-------",
        "GET http://localhost/ HTTP/1.1\n\nbody\n",
        "GET http://localhost/ HTTP/1.1\n\n-----\n\n----- Start WebSurge Options -----\n{ \"a\":\n ] }\n----- End WebSurge Options -----\n",
        "GET http://localhost/ HTTP/1.1\n\n-----\n\n----- Start WebSurge Options -----\n{\n",
        "GET http://localhost/ HTTP/1.1\n\n-----\n\n----- Start WebSurge Options -----\n{\n\"LastThreads\": true }\n----- End WebSurge Options -----\n",
    ];

    [Fact]
    public void Reader_WarnsWithTheLine_WhenSomethingHasAnotherEffectThanItLooks()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Session");
        foreach (var text in s_unclear)
        {
            texts.Add(text.Replace("\n", "\\n", StringComparison.Ordinal), string.Join('\n', Read(text).Diagnostics.Select(
                diagnostic => $"{diagnostic.Severity}, line {diagnostic.Line}: {diagnostic.Message}")));
        }

        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData("vault:api-key", true)]
    [InlineData("access token", true)]
    [InlineData("%name", true)]
    [InlineData(" other ", true)]
    [InlineData("%NAME%", false)]
    [InlineData(" known ", false)]
    public void Reader_WarnsAboutAVariableWithoutAValue_WhateverItsName(string name, bool warns) =>
        Read(
            $"GET http://localhost/ HTTP/1.1\nX-Key: {{{{{name}}}}}\n\n-----\n\n----- Start WebSurge Options -----\n"
                + "{ \"SessionVariables\": { \"known\": \"1\" } }\n----- End WebSurge Options -----\n").Diagnostics
            .Where(diagnostic => diagnostic.Severity == Severity.Warning)
            .Select(diagnostic => diagnostic.Message.Contains($"{{{{{name.Trim()}}}}}", StringComparison.Ordinal))
            .ShouldBe(warns ? [true] : []);

    [Fact]
    public void Reader_TakesTheLastOfTwoEqualOptions_AsAnyCase()
    {
        var session = Read(
            "GET http://localhost/ HTTP/1.1\n\n-----\n\n----- Start WebSurge Options -----\n{\"lastthreads\":3,\"LastThreads\":5,}\n----- "
                + "End WebSurge Options -----\n");

        session.Options.Threads.ShouldBe(5);
    }

    [Fact]
    public void Reader_ReadsUsersOfBothShapes_AndLeavesInactiveOnesOut()
    {
        var session = Read("""
            GET http://localhost/ HTTP/1.1

            -----

            ----- Start WebSurge Options -----
            { "Users": [
              { "LoginUrls": [ { "Url": "http://localhost/login", "FormVariables": [ { "Key": "a", "Value": "1 2" }, { "Key": "b", "Value": "3" } ] } ], "AuthCookie": null },
              { "Id": "user-1", "IsActive": true, "HttpForms": [], "AuthCookie": "c=1", "Authorization": "Bearer x" },
              { "Id": "user-2", "IsActive": false } ] }
            ----- End WebSurge Options -----

            """);

        session.Options.Users.Count.ShouldBe(2);
        session.Options.Users[0].Forms.Single().Content.ShouldBe("a=1%202&b=3");
        session.Options.Users[1].Authorization.ShouldBe("Bearer x");
    }

    private static Session Read(string text) => SessionReader.Read(text, "test.websurge");
}
