using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
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
                row.Endpoint, FigureText.Number(row.Requests), FigureText.Ms(row.HeldMs.Mean), FigureText.Ms(row.CpuMs.Mean), FigureText.Ms(row.CpuWaitMs.Mean),
                FigureText.Ms(row.GcMs.Mean), FigureText.Ms(row.BlockedMs.Mean), FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh),
                FigureText.Rate(row.ReachedPerSecond), FigureText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh), ServerText.Verdict(row.Verdict),
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
            WriteEndpoint(row, console);
        }

        foreach (var finding in server.Findings)
        {
            console.Line("! " + finding, new Style(Color.Yellow));
        }
    }

    private static void WriteEndpoint(EndpointSide row, IAnsiConsole console)
    {
        if (EndpointAdvice.NeedsPlace(row))
        {
            console.Line($"  {row.Endpoint} blocked at {EndpointAdvice.Where(row)}");
        }

        if (row.FromCache > 0)
        {
            console.Line($"  {row.Endpoint}: {FigureText.Number(row.Requests - row.FromCache)} of {FigureText.Count(row.Requests, "request")} reached the method, the cache answered the rest");
        }

        if (row.Advice is { Length: > 0 })
        {
            console.Line($"  {row.Endpoint}: {row.Advice}", Dim);
        }
    }
}
