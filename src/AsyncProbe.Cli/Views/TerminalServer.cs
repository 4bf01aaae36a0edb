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
            console.Line(ServerText.Absence(server), Dim);
            return;
        }

        console.Line($"Server: {ServerText.Pool(server)}");
        var table = Tables.Plain("ms a request", "requests", "held", "cpu", "cpuWait", "gc", "blocked", "ceiling/s", "reached/s", "if async/s", "verdict");
        foreach (var row in server.Endpoints.Take(MostEndpoints))
        {
            table.AddRow(
            [
                row.Endpoint, Text.Number(row.Requests), Text.Ms(row.HeldMs.Mean), Text.Ms(row.CpuMs.Mean), Text.Ms(row.CpuWaitMs.Mean),
                Text.Ms(row.GcMs.Mean), Text.Ms(row.BlockedMs.Mean), ServerText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh),
                Text.Rate(row.ReachedPerSecond), ServerText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh), ServerText.Verdict(row.Verdict),
            ]);
        }

        if (server.Endpoints.Count > 0)
        {
            console.Write(table);
        }
        else
        {
            console.Line("  The server counted no request in this time.", Dim);
        }

        foreach (var row in server.Endpoints.Take(MostEndpoints))
        {
            WriteStory(row, console);
        }

        foreach (var finding in server.Findings)
        {
            console.Line("! " + finding, new Style(Color.Yellow));
        }
    }

    private static void WriteStory(EndpointSide row, IAnsiConsole console)
    {
        if (RunAdvice.NeedsPlace(row))
        {
            console.Line($"  {row.Endpoint} blocked at {RunAdvice.Where(row)}");
        }

        if (row.FromCache > 0)
        {
            console.Line($"  {row.Endpoint}: {Text.Number(row.Requests - row.FromCache)} of {Text.Count(row.Requests, "request")} reached the method, the cache answered the rest");
        }

        if (row.Advice is { Length: > 0 })
        {
            console.Line($"  {row.Endpoint}: {row.Advice}", Dim);
        }
    }
}
