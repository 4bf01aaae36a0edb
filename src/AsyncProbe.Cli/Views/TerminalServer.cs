using AsyncProbe.Cli.Results;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The server's half of the summary.</summary>
internal static class TerminalServer
{
    private const int MostEndpoints = 10;

    private static readonly Style Dim = new(decoration: Decoration.Dim);

    public static void Write(ServerSide server, IAnsiConsole console)
    {
        console.WriteLine();
        if (server.Status != ServerStatus.Joined)
        {
            console.WriteLine(ServerText.Absence(server), Dim);
            return;
        }

        console.WriteLine($"Server: {ServerText.Pool(server)}");
        var table = Tables.Plain("ms a request", "requests", "held", "cpu", "waiting", "gc", "blocked", "ceiling/s", "reached/s", "if async/s", "verdict");
        foreach (var row in server.Endpoints.Take(MostEndpoints))
        {
            table.AddRow(
            [
                row.Endpoint, Text.Number(row.Requests), Text.Ms(row.HeldMs.Mean), Text.Ms(row.CpuMs.Mean), Text.Ms(row.WaitingMs.Mean),
                Text.Ms(row.GcMs.Mean), Text.Ms(row.BlockedMs.Mean), ServerText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh),
                Text.Rate(row.ReachedPerSecond), ServerText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh), row.Verdict ?? Text.NotAvailable,
            ]);
        }

        if (server.Endpoints.Count > 0)
        {
            console.Write(table);
        }
        else
        {
            console.WriteLine("  The server counted no request in this time.", Dim);
        }

        foreach (var row in server.Endpoints.Take(MostEndpoints))
        {
            WriteStory(row, console);
        }

        foreach (var finding in server.Findings)
        {
            console.WriteLine("! " + finding, new Style(Color.Yellow));
        }
    }

    private static void WriteStory(EndpointSide row, IAnsiConsole console)
    {
        if (row.WorstSite is not null)
        {
            console.WriteLine($"  {row.Endpoint} blocked at {row.WorstSite} [{row.WorstSiteKind}]");
        }

        if (row.FromCache > 0)
        {
            console.WriteLine($"  {row.Endpoint}: {Text.Number(row.Requests - row.FromCache)} of {Text.Count(row.Requests, "request")} reached the method, the cache answered the rest");
        }

        if (row.Advice is { Length: > 0 })
        {
            console.WriteLine("  " + row.Advice, Dim);
        }
    }
}
