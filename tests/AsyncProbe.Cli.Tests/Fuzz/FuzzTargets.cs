using System.Text;
using System.Text.Json;
using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Fuzz;

/// <summary>
/// The code that reads untrusted text, with small texts to start from. A target may refuse a text only with an exception that the command
/// turns into a sentence.
/// </summary>
internal static class FuzzTargets
{
    private const string Http = """
        @host = http://127.0.0.1:1
        ### First
        # @name one
        GET {{host}}/a?b=c HTTP/1.1
        Accept: */*

        ###
        POST {{host}}/b
        Content-Type: application/json
        Authorization: Bearer abcdefgh

        { "a": {{$guid}}, "b": "{{one.response.body.$.id}}" }
        """;

    private const string Har = """
        {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"POST","url":"https://x/a?x=1",
        "headers":[{"name":"Cookie","value":"a=b"}],"cookies":[{"name":"a","value":"b"}],"postData":{"mimeType":"application/json","text":"{}",
        "params":[{"name":"a","value":"1"}]}},"response":{"status":200,"content":{"text":"x"}}}]}}
        """;

    private const string Postman = """
        {"info":{"name":"a","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"auth":{"type":"bearer","bearer":
        [{"key":"token","value":"abc"}]},"variable":[{"key":"host","value":"http://x"}],"item":[{"name":"f","item":[{"name":"r","request":
        {"method":"POST","header":[{"key":"A","value":"b"}],"url":{"raw":"{{host}}/a?b=1","path":["a",":id"],"query":[{"key":"b","value":"1"}],
        "variable":[{"key":"id","value":"7"}]},"body":{"mode":"formdata","formdata":[{"key":"a","value":"b","type":"text"}]}}}]}]}
        """;

    private const string OpenApi = """
        {"openapi":"3.0.1","info":{"title":"a","version":"1"},"servers":[{"url":"http://x/{v}","variables":{"v":{"default":"1"}}}],"paths":
        {"/a/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"post":{"operationId":"a",
        "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}},"responses":{"200":{"description":"ok"}}}}},
        "components":{"schemas":{"A":{"type":"object","properties":{"a":{"type":"string"},"next":{"$ref":"#/components/schemas/A"}}}}}}
        """;

    private const string Curl = """
        curl 'http://127.0.0.1:1/a' -X POST \
          -H 'Content-Type: application/json' -H "Accept: */*" \
          -b 'a=b' -u ada:pw --data-raw $'{"a":"\u0041\n"}' --compressed
        """;

    private const string Server = """
        {"schema":1,"startedAt":"2026-01-01T00:00:00Z","at":"2026-01-01T00:00:01Z","process":{"uptimeMs":1000,"workingSetBytes":1000000},
        "pool":{"state":"starved","cause":"blocked","threads":7,"busy":7,"pending":100,"queueDelayMs":3.5,"min":2,"max":32767,"history":
        [{"at":"2026-01-01T00:00:00Z","threads":7,"queueDelayMs":1}]},"now":[{"endpoint":"GET /a","heldMs":10,"at":"A.B","looked":true}],
        "endpoints":[{"endpoint":"GET /a","requests":10,"inFlight":1,"heldMs":{"total":100,"mean":10,"max":20},"blockedMs":{"total":90,"mean":9,
        "max":19},"verdict":"asyncWillHelp","advice":"Await."}],"sites":[{"kind":"Task.Wait","at":"A.B","file":"A.cs","line":3,"count":4,
        "blockedMs":{"total":90,"mean":9,"max":19},"endpoints":["GET /a"],"awaitable":"await"}],"notAvailable":["gc"]}
        """;

    /// <summary>Each target's name, the texts to start from, and the code that reads them.</summary>
    public static IReadOnlyList<(string Name, IReadOnlyList<string> Corpus, Action<string> Read)> All { get; } =
    [
        ("session", Files("websurge", "*.websurge"), text => Use(SessionReader.Read(text, "x.websurge"))),
        ("http file", [Http], text => Use(Import(text, "x.http"))),
        ("capture", [Har], text => Use(Import(text, "x.har"))),
        ("collection", [Postman, .. Files("postman", "*.json")], text => Use(Import(text, "x.json"))),
        ("OpenAPI", [OpenApi], text => Use(Import(text, "x.json"))),
        ("curl", [Curl], text => Use(Import(text, "x.curl"))),
        ("report", [Server], ReadReport),
        ("baseline", [Server, .. Files("websurge", "*.json")], text => Baseline(text)),
        ("profile", ["""{"shared":{"frames":[{"name":"a"}]},"profiles":[{"samples":[[0]],"weights":[1]}]}""", "a;b 12\nc 1"], ReadProfile),
        ("threshold", ["name[Album]:p(99.9)<800", "blocked.avg<=5", "p95<1"], text => ThresholdParser.Parse(text, Suggestion.DidYouMean)),
        ("text", [Http, "Authorization: Basic abcdefgh\u202E", "https://a:b@c/?token=d&pin=e", "<password>x</password>"],
            text => SafeText.Lines(SafeText.From(text))),
    ];

    public static bool IsSentence(Exception exception) => exception is SessionException or CommandException or FormatException;

    private static Session Import(string text, string file) =>
        Importer.ReadAsync(Encoding.UTF8.GetBytes(text), file, new(), CancellationToken.None).GetAwaiter().GetResult()
            ?? throw new SessionException("It is none of them.");

    /// <summary>Does what the commands do with a session, except sending it.</summary>
    private static void Use(Session session)
    {
        SessionListing.Write(session, Console());
        _ = ImportNotes.Describe(session).ToList();
        var (safe, _) = SecretPlaceholders.Replace(session);
        SessionReader.Read(SessionWriter.Write(SavedBodies.Prepare(safe)), "again.websurge");
    }

    private static void ReadReport(string text)
    {
        ServerSnapshot? snapshot;
        try
        {
            using var json = JsonDocument.Parse(Encoding.UTF8.GetBytes(text));
            snapshot = ServerSnapshot.Read(json.RootElement, 0);
        }
        catch (Exception)
        {
            // The client reports it as unreadable, whatever the reason.
            return;
        }

        if (snapshot is not null)
        {
            StateReport.Write(snapshot, Console());
            KnownSites.Find(begin: null, snapshot);
        }
    }

    private static void Baseline(string text)
    {
        try
        {
            using var json = JsonDocument.Parse(Encoding.UTF8.GetBytes(text));
            BaselineReader.Read("x.json", json.RootElement);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // ReadAsync turns these into a sentence.
        }
    }

    private static void ReadProfile(string text)
    {
        try
        {
            SafeProfile.FromLines(text);
            SafeProfile.FromJson(Encoding.UTF8.GetBytes(text));
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // ReadAsync turns these into a sentence.
        }
    }

    private static IAnsiConsole Console() => AnsiConsole.Create(new AnsiConsoleSettings
    {
        Ansi = AnsiSupport.No,
        Interactive = InteractionSupport.No,
        Out = new AnsiConsoleOutput(TextWriter.Null),
    });

    private static string[] Files(string folder, string pattern) =>
        [.. Directory.GetFiles(Path.Combine(Repository.Folder, folder), pattern).Order(StringComparer.Ordinal).Select(File.ReadAllText)];
}
