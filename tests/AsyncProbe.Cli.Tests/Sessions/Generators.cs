using System.Text;
using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions;

/// <summary>Random sessions, including hostile bodies, and random files.</summary>
internal static class Generators
{
    private static readonly string[] BodyPieces =

        [
            "",
            "a",
            " ",
            "{\"x\":1}",
            "-----",
            "------------",
            "HTTP/1.1 200 OK",
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            "b64_",
            "é€",
            "--x",
            "----- Start WebSurge Options -----",
            "\uFEFF",
        ];

    private static readonly string[] JunkPieces =
    [
        "GET http://h/ HTTP/1.1", "POST /x HTTP/2.0", "\r\n", "\n", "\r", "-----", "------------", "----", "\r\n-----\r\n", "\n------\n",
        ":", "a: b",
        "Websurge-Request-Name: n", "----- Start WebSurge Options -----", "----- End WebSurge Options -----", "{", "}", "[", "\"Users\":",
        "\"SessionVariables\":{\"a\":\"{{a}}\"}",
        "1e999", "null", ",", "// c", "/*", "b64_", "{{", "}}", "{{a}}", "\0", "\uFFFD", "HTTP/", " HTTP/", "CONNECT",
        "\"LastThreads\": 1e30", "Content-Type: multipart/x",
    ];

    public static Gen<Session> Session { get; } =
        from requests in Gen.ListOf(Request(), 3)
        from options in Gen.OneOf(Gen.Constant<SessionOptions?>(null), Options())
        select new Session { Source = "s", Requests = requests.ToList(), WrittenOptions = options };

    public static Gen<string> Junk { get; } = Gen.OneOf(
        Gen.Elements(JunkPieces).ListOf().Select(pieces => string.Concat(pieces)),
        ArbMap.Default.GeneratorFor<byte[]>().Select(Encoding.UTF8.GetString),
        ArbMap.Default.GeneratorFor<string>().Select(text => text ?? ""));

    private static Gen<string> Word { get; } =
        Gen.Elements("Accept", "x", "X-Trace", "WebSurge-Request-Other", "value", "a b", "ü", "{{v}}", "1").Select(word => word);

    private static Gen<SessionRequest> Request() =>
        from verb in Gen.Elements("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
        from url in Gen.Elements("http://localhost/", "/a b?c=d", "https://h:1/{{v}}", "/ü")
        from headers in Gen.ListOf(from name in Word from value in Gen.OneOf(Word, Gen.Constant("")) select new SessionHeader(name, value))
        from body in Gen.Elements(BodyPieces).ListOf()
        from name in Gen.OneOf(Gen.Constant<string?>(null), Word.Select(word => (string?)word))
        from inactive in Gen.Elements(true, false)
        from first in Gen.Elements(true, false)
        select new SessionRequest
        {
            Verb = verb,
            Url = url,
            Headers = headers.ToList(),
            Body = verb == "GET" || body.FirstOrDefault(piece => piece.Length > 0) is "b64_" ? "" : string.Concat(body),
            Name = name,
            Inactive = inactive,
            SortNoRandomize = first,
        };

    private static Gen<SessionOptions?> Options() =>
        from threads in Gen.Choose(1, 5000)
        from text in Word
        select (SessionOptions?)new SessionOptions(new JsonObject
        {
            ["SiteBaseUrl"] = "http://localhost/",
            ["LastThreads"] = threads,
            ["Unknown"] = new JsonObject { ["deep"] = new JsonArray(text, null, 1.5) },
            ["SessionVariables"] = new JsonObject { ["v"] = text },
        });
}
