using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The server's half of the summary.</summary>
internal static class TerminalServer
{
    private const int MostEndpoints = 10;

    private static readonly Style Dim = new(decoration: Decoration.Dim);

    private static readonly TextColumn[] s_columns =
    [
        new("ms a request"), new("requests", 4), ServerColumns.Held, ServerColumns.Cpu, ServerColumns.CpuWait, ServerColumns.Gc,
        ServerColumns.Blocked,
        ServerColumns.Ceiling, new("reached/s", 5, "in this run"), ServerColumns.IfAsync, ServerColumns.Verdict,
    ];

    /// <param name="server">The server's side.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="quiet">Whether to leave out the explanations.</param>
    /// <param name="clientMean">Whether the client's mean is on the screen already.</param>
    public static void Write(ServerSide server, IAnsiConsole console, bool quiet, bool clientMean)
    {
        console.WriteLine();
        if (server.Status != ServerStatus.Joined)
        {
            console.Line(ServerText.Absence(server), Dim);
            return;
        }

        console.Line($"Server: {ServerText.Pool(server)}");
        var table = new FittedTable(s_columns);
        foreach (var row in server.Endpoints.Take(MostEndpoints))
        {
            table.Add(
                row.Endpoint, FigureText.Number(row.Requests), FigureText.Ms(row.HeldMs.Mean), FigureText.Ms(row.CpuMs.Mean),
                FigureText.Ms(row.CpuWaitMs.Mean),
                FigureText.Ms(row.GcMs.Mean), FigureText.Ms(row.BlockedMs.Mean),
                FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh),
                FigureText.Rate(row.ReachedPerSecond),
                FigureText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh),
                ServerText.Verdict(row));
        }

        if (server.Endpoints.Count > 0)
        {
            table.Write(console, legend: !quiet);
        }
        else
        {
            console.Line("  The server counted no request in this time.", Dim);
        }

        if (!quiet && clientMean && server.Endpoints.Take(MostEndpoints).Any(row => row.HeldMs.Mean is not null))
        {
            console.Line(ServerText.ClientMeansLegend, Dim);
        }

        if (!quiet && server.Endpoints.Take(MostEndpoints).Any(row => ServerText.IsCollecting(ServerText.Verdict(row))))
        {
            console.Line(ServerText.CollectingLegend, Dim);
        }

        if (!quiet && server.Endpoints.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs)))
        {
            console.Line(ServerText.NoCpuWaitLegend, Dim);
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
        if (WorstSiteText.NeedsPlace(row))
        {
            console.Line($"  {row.Endpoint} blocked at {WorstSiteText.Where(row)}");
        }

        if (row.FromCache > 0)
        {
            console.Line(
                $"  {row.Endpoint}: {FigureText.Number(row.Requests - row.FromCache)} of {FigureText.Count(row.Requests, "request")} "
                    + "reached the method, the cache answered the rest");
        }

        if (row.Advice is { Length: > 0 })
        {
            console.Line($"  {row.Endpoint}: {row.Advice}", Dim);
        }
    }
}
