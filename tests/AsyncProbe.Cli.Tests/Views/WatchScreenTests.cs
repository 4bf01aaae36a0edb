using System.Text.Json;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
public class WatchScreenTests
{
    [Theory]
    [InlineData(80, 24)]
    [InlineData(60, 24)]
    [InlineData(60, 10)]
    [InlineData(200, 60)]
    public void Screen_NeverHasMoreLinesThanTheTerminal_SoThatTheStateStays(int width, int height)
    {
        using var screen = new StringWriter();
        using var page = new StringWriter();

        WatchScreen.Show(Create(screen, width, height), Create(page, width, height), page, "http://127.0.0.1:5080/_threadpool", Crowded());

        var lines = screen.ToString().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        lines.Length.ShouldBeLessThan(height);
        lines.ShouldAllBe(line => line.Length <= width);
        lines.Take(3).ShouldContain(line => line.Contains("starved (blocked)"));
    }

    private static IAnsiConsole Create(StringWriter text, int width, int height)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = AnsiSupport.No, Interactive = InteractionSupport.No, Out = new AnsiConsoleOutput(text) });
        console.Profile.Width = width;
        console.Profile.Height = height;
        return console;
    }

    /// <summary>Forty endpoints, forty sites and forty held threads.</summary>
    private static ServerSnapshot Crowded()
    {
        var rows = Enumerable.Range(0, 40);
        var endpoints = rows.Select(
            i =>
                $$"""{ "endpoint": "GET /orders/{{i}}", "requests": 1000, "heldMs": { "total": 9, "mean": 12, "max": 40 }, "blockedMs": { "total": 9, "mean": 11 }, "verdict": "asyncWillHelp", "advice": "Await the call." }""");
        var sites = rows.Select(
            i =>
                $$"""{ "kind": "Task.Wait", "at": "Orders.Load{{i}}", "file": "/src/Orders.cs", "line": {{i}}, "count": 12345, "blockedMs": { "total": 9, "mean": 11 } }""");
        var now = rows.Select(i => $$"""{ "endpoint": "GET /orders/{{i}}", "heldMs": 120, "at": "Orders.Load{{i}}" }""");
        var history = rows.Select(i => $$"""{ "at": "2026-01-01T00:00:{{i:00}}Z", "threads": {{i}}, "queueDelayMs": {{i}} }""");
        using var json = JsonDocument.Parse($$"""
            { "schema": 1, "pool": { "state": "starved", "cause": "blocked", "threads": 12345, "history": [{{string.Join(',', history)}}] },
              "endpoints": [{{string.Join(',', endpoints)}}], "sites": [{{string.Join(',', sites)}}], "now": [{{string.Join(',', now)}}] }
            """);
        return ServerSnapshot.Read(json.RootElement, System.Diagnostics.Stopwatch.GetTimestamp())!;
    }
}
