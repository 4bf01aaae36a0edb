using System.Globalization;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The server's current state: the pool first, then what holds threads now, then the worst endpoints and sites.</summary>
internal static class StateReport
{
    public const int MostRows = 15;

    /// <summary>1,000 years; a larger figure is wrong and would make the command fail.</summary>
    private const double LongestUptimeMs = 3.2e13;

    private const int LongestSparkline = 60;

    /// <summary>The length of the longest text next to a sparkline.</summary>
    private const int LongestText = 55;

    private static readonly Style Dim = new(decoration: Decoration.Dim);

    private static readonly TextColumn[] s_columns =
    [
        new("in flight", 6), ServerColumns.Held, ServerColumns.Cpu, ServerColumns.Blocked,
        ServerColumns.Ceiling, ServerColumns.IfAsync, ServerColumns.Verdict,
    ];

    /// <param name="server">The server's state.</param>
    /// <param name="rows">The maximum number of rows in a list.</param>
    /// <param name="legend">Whether to explain the columns.</param>
    public static void Write(ServerSnapshot server, IAnsiConsole console, int rows = MostRows, bool legend = true)
    {
        var state = server.Pool.State switch { "starved" => Color.Red, "queueing" => Color.Yellow, _ => Color.Default };
        console.Line(PoolText.Describe(server), new Style(state, decoration: Decoration.Bold));
        console.Line(Process(server), Dim);
        Trend(server, console);
        Now(server, console, rows);
        if (server.Endpoints.Count > 0 || server.Operations.Count == 0)
        {
            Rows(server.Endpoints, "ms a request", "requests", console, rows, legend);
        }

        if (server.Operations.Count > 0)
        {
            Rows(server.Operations, "ms an operation", "operations", console, rows, legend && server.Endpoints.Count == 0);
        }

        Sites(server, console, rows, legend);
        Advice(server, console, legend);
        if (server.NotAvailable.Count > 0)
        {
            console.Line($"not available on this system: {string.Join(", ", server.NotAvailable)}", Dim);
        }
    }

    /// <summary>Writes what is new, and the thresholds' results.</summary>
    public static void Write(StateResult state, IAnsiConsole console)
    {
        foreach (var sentence in Baseline.Describe(state.NewSites ?? []))
        {
            console.Line("! " + sentence, new Style(Color.Yellow));
        }

        TerminalDocument.WriteThresholds(state.Thresholds, console);
    }

    private static string Process(ServerSnapshot server)
    {
        var uptime = server.UptimeMs is >= 0 and < LongestUptimeMs and var ms
            ? FigureText.Duration(TimeSpan.FromMilliseconds(ms))
            : FigureText.NotAvailable;
        var memory = server.WorkingSetBytes is { } bytes ? FigureText.Bytes((long)bytes) : FigureText.NotAvailable;
        var limits = string.Create(CultureInfo.InvariantCulture, $"pool limits {server.Pool.Min} to {server.Pool.Max}");
        return $"{server.Runtime ?? "runtime unknown"}, {server.ProcessorCount?.ToString(CultureInfo.InvariantCulture) ?? "?"} cores, "
            + $"up {uptime}, {memory}; {limits}; detection {server.Detection ?? "?"}, self-test {server.SelfTest ?? "?"}";
    }

    private static void Trend(ServerSnapshot server, IAnsiConsole console)
    {
        var recent = server.History.TakeLast(Math.Clamp(console.Profile.Width - LongestText, 5, LongestSparkline)).ToList();
        if (recent.Count < 2)
        {
            return;
        }

        console.Line(
            $"threads      {Sparkline.Draw(recent.Select(moment => moment.Threads ?? 0))} "
                + $"max {recent.Max(moment => moment.Threads)?.ToString("N0", CultureInfo.InvariantCulture)}");
        console.Line(
            $"queue delay  {Sparkline.Draw(recent.Select(moment => moment.QueueDelayMs ?? 0))} "
                + $"max {FigureText.Ms(recent.Max(moment => moment.QueueDelayMs))} ms ({recent.Count} s)");
    }

    private static void Now(ServerSnapshot server, IAnsiConsole console, int rows)
    {
        if (server.Now.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.Line("holding a thread now");
        foreach (var group in server.Now.GroupBy(segment => segment.Endpoint).OrderByDescending(group => group.Count()).Take(rows))
        {
            console.Line(
                $"  {group.Count(),4} × {group.Key}, held up to {FigureText.Ms(group.Max(segment => segment.HeldMs))} ms so "
                    + $"far{Places([.. group])}");
        }
    }

    /// <summary>One row for each endpoint, with its known places; segments without a known place get no row of their own.</summary>
    private static string Places(List<HeldSegment> segments)
    {
        var known = segments.Where(segment => segment.At is not null).GroupBy(segment => segment.At)
            .OrderByDescending(group => group.Count()).ToList();
        return known switch
        {
            [] when segments.TrueForAll(segment => segment.Looked == true) => ", location unknown (Thread.Sleep, file I/O or native code)",
            [] when segments.TrueForAll(segment => segment.Looked == false) => ", not watched yet",
            [] => "",
            [var only] when only.Count() == segments.Count => $", at {only.Key}",
            _ => ", seen at " + string.Join(" and ", known.Take(3).Select(group => $"{group.Key} ({group.Count()})")),
        };
    }

    private static void Rows(IReadOnlyList<EndpointSnapshot> all, string title, string count, IAnsiConsole console, int rows, bool legend)
    {
        console.WriteLine();
        var table = new FittedTable([new TextColumn(title), new TextColumn(count, 3), .. s_columns]);
        foreach (var row in all.OrderByDescending(row => row.BlockedMs.Total ?? 0).ThenByDescending(row => row.HeldMs.Total ?? 0)
            .Take(rows))
        {
            table.Add(
                row.Endpoint, FigureText.Number((long)row.Requests),
                row.InFlight is { } inFlight ? FigureText.Number((long)inFlight) : FigureText.NotAvailable,
                FigureText.Ms(row.HeldMs.Mean), FigureText.Ms(row.CpuMs.Mean), FigureText.Ms(row.BlockedMs.Mean),
                FigureText.Range(row.Ceiling?.NowLow, row.Ceiling?.NowHigh),
                FigureText.Range(row.Ceiling?.IfAsyncLow, row.Ceiling?.IfAsyncHigh),
                ServerText.Verdict(row));
        }

        table.Write(console, legend, namesHidden: true);
        if (legend && all.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs)))
        {
            console.Line(ServerText.NoCpuWaitLegend, Dim);
        }

        if (legend && all.Any(row => ServerText.IsCollecting(ServerText.Verdict(row))))
        {
            console.Line(ServerText.CollectingLegend, Dim);
        }
    }

    private static void Advice(ServerSnapshot server, IAnsiConsole console, bool legend)
    {
        var advised = server.Endpoints.Concat(server.Operations)
            .Where(row => row.Verdict is not ("fine" or "alreadyAsync" or "notEnoughData") && row.Advice is not null).Take(5).ToList();
        foreach (var row in advised)
        {
            console.Line($"  {row.Endpoint}: {row.Advice}", Dim);
        }

        if (legend && advised.Count > 0)
        {
            console.Line("  " + ServerText.AdviceMeansLegend, Dim);
        }
    }

    private static void Sites(ServerSnapshot server, IAnsiConsole console, int rows, bool legend)
    {
        if (server.Sites.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.Line("blocked at");
        foreach (var site in server.Sites.OrderByDescending(site => site.BlockedMs.Total ?? 0).Take(rows))
        {
            var times = ServerText.Times((long)site.Count, site.Sampled, server.IsPartial(site));
            console.Line(
                $"  {times,9}{(site.Sampled ? "," : " ×")} {FigureText.Ms(site.BlockedMs.Mean)} ms  {site.Describe()} "
                    + $"[{site.Kind}]{(site.Via is null ? "" : $" via {site.Via}")}{(site.Allowed is null ? "" : $" (allowed: {site.Allowed})")}");
            if (site.Source is not null)
            {
                console.Line($"            {site.Source}", Dim);
            }

            if (site is { Awaitable: not null, Allowed: null })
            {
                console.Line($"            instead: {(site.Awaitable == "await" ? "await it" : $"await {site.Awaitable}")}", Dim);
            }
        }

        if (legend && server.Sites.Any(site => site.BlockedMs.Mean is not null)
            && server.Endpoints.Concat(server.Operations).Any(row => row.BlockedMs.Mean is not null))
        {
            console.Line("  " + ServerText.LineMeansLegend, Dim);
        }

        if (legend && server.Sites.Any(site => site.Sampled))
        {
            console.Line("  " + ServerText.SamplesLegend, Dim);
        }

        if (server.Sites.Any(server.IsPartial))
        {
            console.Line("  " + ServerText.PartialLegend, Dim);
        }
    }
}
