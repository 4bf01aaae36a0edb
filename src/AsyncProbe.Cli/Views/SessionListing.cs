using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>What <c>check</c> prints about one session.</summary>
internal static class SessionListing
{
    /// <summary>The rest of a longer URL is left out, because wrapping it takes 300 bytes for each character.</summary>
    private const int LongestUrl = 500;

    public static void Write(Session session, IAnsiConsole console)
    {
        var options = session.Options;
        var active = session.ActiveRequests.Count();
        console.Line(
            $"{session.Source}: {FigureText.Count(session.Requests.Count, "request")}, {active} "
                + $"active; {FigureText.Count(options.Threads, "thread")}, " +
            $"{options.Seconds} s after {options.WarmupSeconds} s of warm-up, timeout {options.RequestTimeout.TotalSeconds:0.###} s");
        foreach (var request in session.Requests)
        {
            var name = request.Name is { Length: > 0 } ? $" · {request.Name}" : "";
            console.Line($"  {request.Line,4}  {request.Verb} {Shortened(request.Url)}{name}{(request.Inactive ? " (inactive)" : "")}");
        }

        foreach (var diagnostic in session.Diagnostics)
        {
            var style = diagnostic.Severity switch { Severity.Error => Color.Red, Severity.Warning => Color.Yellow, _ => Color.Default };
            console.Line(diagnostic.Describe(session.Source), new Style(style));
        }
    }
    private static string Shortened(string url) => url.Length <= LongestUrl ? url : string.Concat(url.AsSpan(0, LongestUrl), "…");
}
