using AsyncProbe.Cli.Sessions;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>What <c>check</c> prints of one session.</summary>
internal static class SessionListing
{
    public static void Write(Session session, IAnsiConsole console)
    {
        var options = session.Options;
        var active = session.ActiveRequests.Count();
        console.Line(
            $"{session.Source}: {Text.Count(session.Requests.Count, "request")}, {active} active; {Text.Count(options.Threads, "thread")}, " +
            $"{options.Seconds} s after {options.WarmupSeconds} s of warm-up, timeout {options.RequestTimeout.TotalSeconds:0.###} s");
        foreach (var request in session.Requests)
        {
            var name = request.Name is { Length: > 0 } ? $" · {request.Name}" : "";
            console.Line($"  {request.Line,4}  {request.Verb} {request.Url}{name}{(request.Inactive ? " (inactive)" : "")}");
        }

        foreach (var oddity in session.Oddities)
        {
            var style = oddity.Severity switch { Severity.Error => Color.Red, Severity.Warning => Color.Yellow, _ => Color.Default };
            console.Line(oddity.Describe(session.Source), new Style(style));
        }
    }
}
