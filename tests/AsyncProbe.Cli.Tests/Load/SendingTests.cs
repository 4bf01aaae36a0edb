namespace AsyncProbe.Cli.Tests.Load;

public class SendingTests
{
    [Fact]
    public async Task Request_ArrivesAsTheSessionSays()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server,
            "POST /echo?a=1 HTTP/1.1\nContent-Type: application/json\nX-Trace: {{who}}\nWebSurge-Request-Other: x\nUser-Agent: "
                + "me\nExpect: 100-continue\n\n{\"name\":\"{{who}}\"}",
            "\"SessionVariables\": { \"who\": \"Ada\" }, \"ReplaceQueryStringValuePairs\": \"b=2\"");

        var seen = server.Requests.Single();
        (seen.Method, seen.PathAndQuery, seen.Body).ShouldBe(("POST", "/echo?a=1&b=2", "{\"name\":\"Ada\"}"));
        seen.Headers["X-Trace"].ShouldBe("Ada");
        seen.Headers["Content-Type"].ShouldBe("application/json");
        seen.Headers["User-Agent"].ShouldBe("me");
        seen.Headers.Keys.ShouldNotContain("WebSurge-Request-Other");
        seen.Headers.Keys.ShouldNotContain("Expect");
    }

    [Fact]
    public async Task HeaderValue_IsSentInUtf8_WhenItIsNotAscii()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(
            server, "POST /echo HTTP/1.1\nX-City: Århus, 5 €\nContent-Disposition: inline; filename=\"ü.txt\"\nCookie: place=Zürich\n\nbody");

        var seen = server.Requests.Single();
        seen.Headers["X-City"].ShouldBe("Århus, 5 €");
        seen.Headers["Content-Disposition"].ShouldBe("inline; filename=\"ü.txt\"");
        seen.Headers["Cookie"].ShouldBe("place=Zürich");
    }

    [Fact]
    public async Task Token_IsCapturedAndInjected_WhenTheHeadersAskForIt()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, """
            POST /login HTTP/1.1
            WebSurge-Request-CaptureJsonToken: token
            Content-Type: application/json

            {}

            -----

            POST /echo HTTP/1.1
            Content-Type: application/json
            WebSurge-Request-InjectJsonBearerToken: token
            WebSurge-Request-InjectJsonToken: token|key

            {"key":"old","other":1}
            """);

        var echo = server.Requests.Last();
        echo.Headers["Authorization"].ShouldBe("Bearer s3cret-token");
        echo.Body.ShouldBe("{\"key\":\"s3cret-token\",\"other\":1}");
    }

    [Theory]
    [InlineData("""{"key":null,"other":1}""", """{"key":"s3cret-token","other":1}""")]
    [InlineData("""{"a":{"key":null},"key":"old"}""", """{"a":{"key":null},"key":"s3cret-token"}""")]
    [InlineData("""{"key":"old","Other":1,"other":2,"Other":3}""", """{"key":"s3cret-token","Other":3,"other":2}""")]
    [InlineData("""{"key":"old","other":"\uD83D \uD83D\uDE00 \\uD83D"}""", """{"key":"s3cret-token","other":"\uFFFD \uD83D\uDE00 \\uD83D"}""")]
    public async Task Token_IsInjected_IntoAnyJsonBody(string written, string sent)
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, $$"""
            POST /login HTTP/1.1
            WebSurge-Request-CaptureJsonToken: token

            -----

            POST /echo HTTP/1.1
            Content-Type: application/json
            WebSurge-Request-InjectJsonToken: token|key

            {{written}}
            """);

        server.Requests.Last().Body.ShouldBe(sent);
    }

    [Theory]
    [InlineData("""{ "token": "old", "name": 1, "name": 2, "token": "new" }""", "new")]
    [InlineData("""{ "\uD83D": 1, "name": "\uDE00", "token": "new" }""", "new")]
    [InlineData("""{ "token": "\uDE00new" }""", "\uFFFDnew")]
    [InlineData("""{ "token": null, "user": { "token": "new" } }""", "new")]
    public async Task Token_IsCaptured_FromAnyJsonResponse(string response, string token)
    {
        await using var server = await TestServer.StartAsync();
        server.Login = response;

        await OnceAsync(server, """
            POST /login HTTP/1.1
            WebSurge-Request-CaptureJsonToken: token

            -----

            GET /echo HTTP/1.1
            WebSurge-Request-InjectJsonBearerToken: token
            """);

        server.Requests.Last().Headers["Authorization"].ShouldBe("Bearer " + token);
    }

    [Fact]
    public async Task Authorization_IsCapturedForAllRequestsThatCarryOne()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, """
            POST /login HTTP/1.1
            WebSurge-Request-CaptureAndSetAuthorizationBearerTokenFromJson: user.token

            -----

            GET /echo HTTP/1.1
            Authorization: Bearer old

            -----

            GET /plain HTTP/1.1
            """);

        server.Requests.Single(request => request.PathAndQuery == "/echo").Headers["Authorization"].ShouldBe("Bearer s3cret-token");
        server.Requests.Single(request => request.PathAndQuery == "/plain").Headers.Keys.ShouldNotContain("Authorization");
    }

    [Fact]
    public async Task Cookies_AreKeptAndSeeded_ByDefault()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "GET /cookie HTTP/1.1\n\n-----\n\nGET /echo HTTP/1.1\nCookie: own=2; visit=9\n");

        server.Requests.Last().Headers["Cookie"].Split("; ").Order().ShouldBe(["own=2", "visit=1"]);
    }

    /// <summary>.NET's container keeps 20 cookies of a host by default, and none with such a name or such a value.</summary>
    [Fact]
    public async Task Cookies_OfTheSession_AreSentAsWritten_InEveryPass()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var written = string.Join("; ", Enumerable.Range(1, 30).Select(i => $"name{i}={i}"))
            + "; list=1,2,3; $Version=1; two words=3; quoted=\"a b\"; alone";
        var session = folder.Write("s.websurge", $"GET {server.Url}/echo HTTP/1.1\nCookie: {written}\nCookie: last=5\n\n-----\n\n");

        var tool = await Tool.RunAsync("run", session, "--requests", "3", "-t", "1", "-w", "0");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        server.Requests.Where(request => request.PathAndQuery == "/echo").Select(request => request.Headers["Cookie"])
            .ShouldBe(Enumerable.Repeat(written + "; last=5", 3));
    }

    [Fact]
    public async Task Cookies_OfTheServer_AreKept_EvenIfTheyAreMany()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "GET /cookies/50 HTTP/1.1\n\n-----\n\nGET /echo HTTP/1.1\n");

        server.Requests.Last().Headers["Cookie"].Split("; ").ShouldBe(Enumerable.Range(1, 50).Select(i => $"name{i}={i}"), ignoreOrder: true);
    }

    [Fact]
    public async Task Cookie_OfARedirect_IsSentToItsTarget()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "GET /enter HTTP/1.1\nCookie: visit=0; own=2\n");

        server.Requests.Last().PathAndQuery.ShouldBe("/echo");
        server.Requests.Last().Headers["Cookie"].Split("; ").ShouldBe(["visit=1", "own=2"], ignoreOrder: true);
    }

    [Fact]
    public async Task Cookies_AreSentAsTyped_WhenTheyAreNotTracked()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "GET /cookie HTTP/1.1\n\n-----\n\nGET /echo HTTP/1.1\nCookie: own=2\n",
            "\"TrackPerSessionCookies\": false, \"ReplaceCookieValue\": \"other=3\"");

        server.Requests.Last().Headers["Cookie"].ShouldBe("other=3");
    }

    [Theory]
    [InlineData("Bearer old", "Bearer new")]
    [InlineData("Basic b2xk", "Basic b2xk")]
    public async Task Authorization_IsReplaced_OnlyWhenItIsABearer(string written, string sent)
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, $"GET /echo HTTP/1.1\nAuthorization: {written}\n", "\"ReplaceAuthorization\": \"Bearer new\"");

        server.Requests.Single().Headers["Authorization"].ShouldBe(sent);
    }

    [Fact]
    public async Task Users_ReplaceThePostedContent_WhenTheUrlIsTheirs()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "POST /echo HTTP/1.1\nContent-Type: text/plain\n\nold\n",
            $$"""
            "Users": [ { "LoginUrls": [ { "Url": "{{server.Url}}/echo", "FormVariables": [ { "Key": "name", "Value": "Ada L" } ] } ] } ]
            """);

        var seen = server.Requests.Single();
        seen.Body.ShouldBe("name=Ada%20L");
        seen.Headers["Content-Type"].ShouldBe("application/x-www-form-urlencoded");
    }

    /// <summary>.NET sends the verbs it knows in upper case, and check says so; it sends any other verb as typed.</summary>
    [Fact]
    public async Task Verb_IsSentAsTyped_UnlessDotNetKnowsIt()
    {
        await using var server = await TestServer.StartAsync();

        await Tool.RunAsync("run", $"curl -X fetch {server.Url}/echo", "--once");
        await Tool.RunAsync("run", $"curl -X post {server.Url}/echo", "--once");

        server.Requests.Select(request => request.Method).ShouldBe(["fetch", "POST"]);
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 2)]
    public async Task Redirects_AreFollowed_UnlessToldNotTo(bool told, int requests)
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync(["run", server.Url + "/redirect", "--once", .. told ? new[] { "--no-redirect" } : []]);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        server.Requests.Count.ShouldBe(requests);
    }

    [Fact]
    public async Task Headers_TypedOnTheCommandLine_ReplaceTheSessionsOwn()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("s.websurge", "GET http://127.0.0.1:9/echo HTTP/1.1\nX-Who: file\n\n-----\n\n");

        var tool = await Tool.RunAsync("run", session, "--once", "-H", "X-Who: typed", "--base-url", server.Url);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        server.Requests.Single().Headers["X-Who"].ShouldBe("typed");
    }

    [Fact]
    public async Task Headers_TypedOnTheCommandLine_ReplaceThoseOfTheSessionsUser()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var session = folder.Write("s.websurge", $$"""
            POST {{server.Url}}/echo HTTP/1.1

            a=1

            -----

            ----- Start WebSurge Options -----
            { "Users": [ { "Authorization": "Bearer user", "AuthCookie": "user=1" } ] }
            ----- End WebSurge Options -----

            """);

        var tool = await Tool.RunAsync("run", session, "--once", "-H", "Authorization: Bearer typed", "-H", "Cookie: typed=1");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var seen = server.Requests.Single(request => request.PathAndQuery == "/echo").Headers;
        (seen["Authorization"], seen["Cookie"]).ShouldBe(("Bearer typed", "typed=1"));
    }

    [Theory]
    [InlineData("Content-Length")]
    [InlineData("date")]
    [InlineData("Expect")]
    [InlineData("If-Modified-Since")]
    [InlineData("Proxy-Connection")]
    [InlineData("Transfer-Encoding")]
    [InlineData("two words")]
    public async Task Header_ThatIsNeverSent_IsRefused(string name)
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("run", server.Url + "/echo", "--once", "-H", name + ": 1");

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain(name);
        server.Requests.ShouldBeEmpty();
    }

    /// <summary>The file's own is from a capture of another server; WebSurge doesn't send it either.</summary>
    [Fact]
    public async Task Host_OfTheSession_IsNotSent()
    {
        await using var server = await TestServer.StartAsync();

        await OnceAsync(server, "GET /echo HTTP/1.1\nHost: shop.local\n");

        server.Requests.Last().Headers["Host"].ShouldBe(new Uri(server.Url).Authority);
    }

    /// <summary>The target's own name decides there, as with curl.</summary>
    [Fact]
    public async Task Host_ThatWasTyped_IsNotSentToTheTargetOfARedirect_OnAnotherServer()
    {
        await using var server = await TestServer.StartAsync();
        await using var second = await TestServer.StartAsync();
        server.Away = second.Url + "/plain";

        await Tool.RunAsync("run", server.Url + "/away", "--once", "-H", "Host: shop.local");
        await Tool.RunAsync("run", server.Url + "/redirect", "--once", "-H", "Host: shop.local");

        second.Requests.Single().Headers["Host"].ShouldBe(new Uri(second.Url).Authority);
        server.Requests.Single(request => request.PathAndQuery == "/plain").Headers["Host"].ShouldBe("shop.local");
    }

    private static async Task OnceAsync(TestServer server, string requests, string options = "")
    {
        using var folder = new TemporaryFolder();
        var optionsBlock = options.Length == 0 ? $"\"SiteBaseUrl\": \"{server.Url}\"" : $"\"SiteBaseUrl\": \"{server.Url}\", {options}";
        var session = folder.Write(
            "s.websurge",
            $"{requests}\n\n-----\n\n----- Start WebSurge Options -----\n{{ {optionsBlock} }}\n----- End WebSurge Options -----\n");
        var tool = await Tool.RunAsync("run", session, "--once");
        tool.ExitCode.ShouldBe(0, tool.Messages + tool.Results);
    }
}
