using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Export;

/// <summary>Random sessions whose names, URLs, headers, bodies and variables contain text that a format may trip over.</summary>
internal static class ExportGenerators
{
    private static readonly string[] s_pieces =
    [
        "a", " ", "\"", "'", "\"\"\"", "\\", "\\n", "${", "${x}", "}", "$", "]]>", "<&>", "--", "-->", "é€", "😀", "\u0001", "\uFFFE", "\t",
        "{{city}}", "{{odd}}", "{{nobody}}",
        "{{", "{{$guid}}", "}}", "{%", "%s", "%7B", "#", "// x", "@x = y", "\uD800",
    ];

    private static readonly string[] s_lines = ["\r\n", "\r\n### x", "\r\n> y", "\r\n< z", "\r\n@v = 1", "\r\n# c", "\r\n  # d", "\r\n\r\n", "\n", "\r"];

    public static Gen<Session> Session { get; } =
        from requests in Gen.ListOf(Request(), 3)
        from odd in OneLine()
        from randomize in Gen.Elements(true, false)
        from delay in Gen.Elements(0, 50)
        select new Session
        {
            Source = "s.websurge",
            Requests = requests.Append(new() { Verb = "GET", Url = "/" }).ToList(),
            WrittenOptions = new(new JsonObject
            {
                ["SiteBaseUrl"] = "http://127.0.0.1:5080/base/",
                ["LastThreads"] = 7,
                ["DelayTimeMs"] = delay,
                ["RandomizeRequests"] = randomize,
                ["SessionVariables"] = new JsonObject { ["City"] = "Oslo", ["odd"] = odd },
            }),
        };

    private static Gen<string> OneLine() => Gen.Elements(s_pieces).ListOf().Select(pieces => string.Concat(pieces));

    private static Gen<SessionRequest> Request() =>
        from verb in Gen.Elements("GET", "POST", "PUT", "PATCH", "DELETE")
        from path in Gen.OneOf(OneLine().Select(text => "/" + text), Gen.Constant("https://example.org/{{city}}?a={{odd}}"))
        from header in OneLine()
        from name in OneLine()
        from body in Gen.OneOf(
            Gen.Elements(s_pieces.Concat(s_lines).ToArray()).ListOf().Select(pieces => string.Concat(pieces)),
            Gen.Constant("b64_AAEC//4NCg=="),
            Gen.Constant("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--B--"))
        from type in Gen.Elements("application/json", "text/plain; charset=iso-8859-1", "multipart/form-data; boundary=B")
        from inactive in Gen.Elements(true, false, false)
        from rule in Gen.Elements(
            "WebSurge-Request-CaptureJsonToken", "WebSurge-Request-InjectJsonToken", "WebSurge-Request-InjectJsonBearerToken", "Accept")
        select new SessionRequest
        {
            Verb = verb,
            Url = path,
            Headers = [new("X-Odd", header.Trim()), new("Content-Type", type), new(rule, "a.b|c"), new("Cookie", "a=1; b=\"2\"")],
            Body = verb == "GET" || body.StartsWith("b64_", StringComparison.Ordinal) && body.Length % 4 > 0 ? "" : body.TrimEnd(),
            Name = name.Trim(),
            Inactive = inactive,
        };
}
