using System.Diagnostics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Export;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sessions.Import.Har;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Export;

[SideBySide]
[Trait("Category", ApprovedTexts.Category)]
public class ExportTests
{
    [Fact]
    public void Jmx_ParsesAgain_WithEveryBodyAndHeaderInIt()
    {
        Check.One(Tests(150), Prop.ForAll(Arb.From(ExportGenerators.Session), session =>
        {
            var plan = Plan(session);

            var document = XDocument.Parse(Exporter.Write(plan, "x.jmx").Text, LoadOptions.PreserveWhitespace);

            var samplers = document.Descendants("HTTPSamplerProxy").ToList();
            samplers.Count.ShouldBe(session.Requests.Count);
            samplers.Count(sampler => sampler.Attribute("enabled")!.Value == "true").ShouldBe(session.ActiveRequests.Count());
            document.DescendantNodes().OfType<XComment>().First().Value.ShouldContain("Written by asyncprobe export");
            foreach (var (request, sampler) in plan.Requests.Zip(samplers))
            {
                // JMeter leaves a reference to an unknown variable unchanged.
                var body = sampler.Descendants().SingleOrDefault(property => property.Attribute("name")?.Value == "Argument.value")?.Value;
                if (request.Body is { } text && !text.Variables.Any() && body?.Contains("${", StringComparison.Ordinal) == false)
                {
                    body.ShouldBe(text.ToString());
                }
            }
        }));
    }

    [Fact]
    public void LocustFiles_Compile()
    {
        if (Programs.FindFolder("python3") is null)
        {
            Programs.Missing("python3", "Python", "python3");
            return;
        }

        using var folder = new TemporaryFolder();
        var number = 0;
        Check.One(Tests(100), Prop.ForAll(Arb.From(ExportGenerators.Session), session =>
        {
            var text = Exporter.Write(Plan(session), "x.py").Text;
            text.ShouldAllBe(c => c == '\n' || (c >= ' ' && c <= '~') || c > '~');
            folder.Write($"x{number++}.py", text);
        }));

        using var python = Process.Start(
            new ProcessStartInfo(
                "python3",
                ["-W", "error", "-m", "py_compile",
                    .. Directory.GetFiles(Path.GetDirectoryName(folder.File("x"))!)]) { RedirectStandardError = true })!;
        var problems = python.StandardError.ReadToEnd();
        python.WaitForExit(TimeSpan.FromMinutes(1)).ShouldBeTrue();
        problems.ShouldBeEmpty();
        python.ExitCode.ShouldBe(0);
    }

    [Fact]
    public void HttpFile_ReadsBackEqual() => Check.One(Tests(300), Prop.ForAll(Arb.From(ExportGenerators.Session), session =>
    {
        var plan = Plan(session);

        var read = HttpFileReader.Read(Exporter.Write(plan, "x.http").Text, "x.http", []);

        // The format keeps neither the kind of line break nor trailing blanks.
        Sent(read.Requests, body => body.ReplaceLineEndings("\n").TrimEnd())
            .ShouldBe(Sent(plan, body => body.ReplaceLineEndings("\n").TrimEnd()));
    }));

    [Fact]
    public void Har_ReadsBackEqual() => Check.One(Tests(300), Prop.ForAll(Arb.From(ExportGenerators.Session), session =>
    {
        var plan = Plan(session);
        var text = Exporter.Write(plan, "x.har").Text;

        JsonNode.Parse(text)!["log"]!["comment"]!.GetValue<string>().ShouldContain("Not carried over:");
        var read = HarReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x.har");
        // Our reader encodes an apostrophe in a query, as browsers do.
        Sent(read.Requests, body => body).Select(request => request.Replace("%27", "\\u0027", StringComparison.Ordinal))
            .ShouldBe(Sent(plan, body => body));
    }));

    [Fact]
    public void Secrets_AreVariablesWithoutAValue_InEveryFormat()
    {
        var session = new Session
        {
            Source = "s",
            Requests =
            [
                new()
                {
                    Verb = "POST",
                    Url = "http://h/x?token=hush-url-1",
                    Headers = [new("Authorization", "Bearer hush-bearer"), new("Cookie", "sid=hush-cookie")],
                    Body = "{\"password\":\"hush-body\"}",
                },
                new() { Verb = "GET", Url = "/y", Headers = [new("X-Api-Key", "{{apiKey}}"), new("Authorization", "{{authorization}}")] },
            ],
            WrittenOptions = new(
                new JsonObject { ["SiteBaseUrl"] = "http://h/",
                    ["SessionVariables"] = new JsonObject { ["apiKey"] = "hush-variable", ["authorization"] = "public" } }),
        };
        foreach (var file in (string[])["x.jmx", "x.py", "x.http", "x.har"])
        {
            var safe = Exporter.Write(ExportPlanner.Create(session, ExportSettings.Default), file).Text;

            safe.ShouldNotContain("hush");
            safe.ShouldContain("variable apiKey ");
            // The session already has a variable with the plain name.
            safe.ShouldContain("variable authorization2 ");
            var full = Exporter.Write(Plan(session), file).Text;
            ((string[])["hush-url-1", "hush-bearer", "hush-cookie", "hush-body", "hush-variable"]).ShouldAllBe(
                secret => full.Contains(secret));
        }
    }

    [Fact]
    public void Comment_NamesWhatIsNotCarriedOver()
    {
        var session = SessionReader.Read("""
            POST http://h/login HTTP/1.1
            WebSurge-Request-CaptureJsonToken: token

            -----
            DELETE http://h//gone HTTP/1.1

            -----
            GET http://h/a HTTP/1.1
            WebSurge-Request-InjectJsonBearerToken: token
            X Y: z
            Websurge-Request-Inactive: 1

            -----

            ----- Start WebSurge Options -----
            { "LastThreads": 40, "LastSecondsToRun": 20, "DelayTimeMs": 250, "HttpProtocolVersion": "2", "Users": [ { "IsActive": true, "AuthCookie": "a=b" } ], "SessionVariables": { "v": "%PATH%" } }
            ----- End WebSurge Options -----
            """.ReplaceLineEndings("\r\n"), "orders.websurge");
        var losses = ((string[])["x.jmx", "x.py", "x.http", "x.har"]).Select(
            file => string.Join('\n', Exporter.Write(Plan(session), file).Losses)).ToList();

        losses.ShouldAllBe(
            text => text.Contains("Users (1)") && text.Contains("HTTP/2") && text.Contains("%NAME%") && text.Contains("X Y"));
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Export/Losses");
        foreach (var (name, text) in ((string[])["JMeter", "Locust", ".http", "HAR"]).Zip(losses))
        {
            texts.Add(name, text);
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public void Jmx_PutsCapturedValuesIntoJson_OrSaysThatItCannot()
    {
        var session = SessionReader.Read("""
            POST http://h/login HTTP/1.1
            WebSurge-Request-CaptureJsonToken: token

            -----
            POST http://h/a HTTP/1.1
            Content-Type: application/json
            WebSurge-Request-InjectJsonToken: token|key

            { "a": [ { "key": "none" } ] }

            -----
            POST http://h/b HTTP/1.1
            Content-Type: application/json
            WebSurge-Request-InjectJsonToken: token

            { "token": 5 }

            -----
            POST http://h/n HTTP/1.1
            Content-Type: application/json
            WebSurge-Request-InjectJsonToken: token|next

            { "next": null, "b": 1, "b": 2 }

            -----
            POST http://h/c HTTP/1.1
            WebSurge-Request-InjectJsonToken: token

            token=5

            -----
            GET http://h/d HTTP/1.1
            X-City: {{city}}

            -----

            ----- Start WebSurge Options -----
            { "SessionVariables": { "city": "Århus" } }
            ----- End WebSurge Options -----
            """.ReplaceLineEndings("\r\n"), "orders.websurge");

        var (text, losses) = Exporter.Write(Plan(session), "x.jmx");

        text.ShouldContain("""{"a":[{"key":${captured.token.json}}]}""");
        text.ShouldContain("""{"token":${captured.token.json}}""");
        text.ShouldContain("""{"next":${captured.token.json},"b":2}""");
        XDocument.Parse(text).Descendants("elementProp")
            .Single(property => property.Attribute("name")!.Value == "captured.token.json").Elements().ElementAt(1).Value.ShouldBe("\"none\"");
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sessions/Export/JmxLosses");
        texts.Add("captured values and UTF-8 in JMeter", string.Join('\n', losses));
        texts.ShouldBeApproved();
    }

    /// <summary>The same cases in every run; ASYNCPROBE_RANDOM sets the number of random ones to run instead.</summary>
    private static Config Tests(int count) => Environment.GetEnvironmentVariable("ASYNCPROBE_RANDOM") is { } more
        ? Config.QuickThrowOnFailure.WithMaxTest(int.Parse(more, System.Globalization.CultureInfo.InvariantCulture))
        : Config.QuickThrowOnFailure.WithMaxTest(count).WithReplay(20, 3);

    private static ExportPlan Plan(Session session) => ExportPlanner.Create(session, new() { WithSecrets = true });

    /// <summary>The requests that would be sent, with every variable replaced; variables without a value stay unchanged.</summary>
    private static List<string> Sent(ExportPlan plan, Func<string, string> readBody)
    {
        var values = plan.Variables.ToDictionary(variable => variable.Name, variable => variable.Value ?? variable.AsWritten);
        return
        [
            .. plan.ActiveRequests.Select(request => Describe(
                request.Name, request.Verb, request.Site + Expand(request.PathAndQuery),
                request.Headers.Select(header => new SessionHeader(header.Name, Expand(header.Value).Trim())),
                readBody(
                    Encoding.Latin1.GetString(request.Bytes ?? Encoding.UTF8.GetBytes(request.Body is null ? "" : Expand(request.Body)))))),
        ];

        string Expand(ExportText text) => text.Write(literal => literal, name => values[name]);
    }

    private static List<string> Sent(IEnumerable<SessionRequest> requests, Func<string, string> readBody) =>
    [
        .. requests.Select(request =>
        {
            var (bytes, problem) = BodyBytes.Encode(request, request.Body);
            problem.ShouldBeNull();
            return Describe(request.Name, request.Verb, request.Url, request.Headers, readBody(Encoding.Latin1.GetString(bytes)));
        }),
    ];

    private static string Describe(string? name, string verb, string url, IEnumerable<SessionHeader> headers, string body) =>
        JsonSerializer.Serialize(new { name = name is { Length: > 0 } ? name : null, verb, url, headers, body });
}
