using System.Globalization;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Views;

/// <summary>Sentences about the server, the same in every view.</summary>
internal static class ServerText
{
    public const string PartialLegend = "* counted in the requests that were watched; the true number is higher";

    public const string NoCpuWaitLegend = "The server's platform doesn't report how long a thread waited for a core (cpuWait); that time is "
        + "part of blocked.";

    public const string ClientMeansLegend =
        "The client's times include queueing, awaited time and the network, and held doesn't, so their means differ.";

    public const string LineMeansLegend = "A line's mean is for each wait there, and the table's are for each request, so they can differ.";

    public const string SamplesLegend = "samples: how long a wait had lasted when a stack snapshot saw it; it took longer.";

    public const string AdviceMeansLegend = "The table's means are for all requests since the start or the last reset; the advice leaves "
        + "out old and cold ones, so its times can differ.";

    private const string Collecting = "collecting: ";

    public static string Absence(ServerSide server) => server.Status switch
    {
        ServerStatus.Off => "Server: not asked (--probe off).",
        ServerStatus.NoAnswer =>
            $"Server: {server.Url} did not answer in time, so only the client's side is known. If its pool had no free thread, its lifeline "
                + "tells what holds them: asyncprobe report URL --lifeline PORT.",
        ServerStatus.Unreachable => $"Server: nothing listens at {server.Url}, so only the client's side is known.",
        ServerStatus.Reset =>
            $"Server: {server.Url} closed the connection in the middle of its answer, so only the client's side is known.",
        ServerStatus.NotThere =>
            $"Server: {server.Url} answers 404, so only the client's side is known. {ReportFailure.HowToOpen} If it is elsewhere, name it "
                + "with --probe URL.",
        ServerStatus.Untrusted =>
            $"Server: the certificate of {server.Url} is not trusted, so only the client's side is known. "
                + (Uri.TryCreate(server.Url, UriKind.Absolute, out var url) ? ReportFailure.Certificate(url) : ""),
        ServerStatus.Redirected =>
            $"Server: {server.Url} redirects elsewhere, so only the client's side is known. Name the report with --probe URL.",
        ServerStatus.OtherSchema =>
            $"Server: the report at {server.Url} has a schema that this asyncprobe does not read, so only the client's side is known. Use "
                + "the version that goes with the server's AsyncProbe.",
        _ => $"Server: {server.Url} is not an AsyncProbe report, so only the client's side is known. Name it with --probe URL.",
    };

    /// <summary>The message to show while waiting for the first report.</summary>
    public static string Wait(Uri report, TimeSpan longest) => string.Create(CultureInfo.InvariantCulture,
        $"{report} has not answered for {ReportPoller.Usual.TotalSeconds} s. The server may be cold, or its pool may have no free thread: "
            + $"waiting up to {longest.TotalSeconds:0.#} s (--timeout), then running without its side.");

    /// <summary>Whether an endpoint's blocked time includes waiting for a core.</summary>
    public static bool LacksCpuWait(TimeSums cpuWait, TimeSums blocked) => cpuWait.Total is null && blocked.Total is not null;

    /// <summary>Explains what a row that says "collecting" waits for.</summary>
    public static string CollectingLegend { get; } = string.Create(CultureInfo.InvariantCulture,
        $"collecting: a verdict needs {Verdicts.RequestsNeeded} requests; on the server, an endpoint's first few do not count");

    /// <summary>The verdict of a row in a run.</summary>
    public static string Verdict(EndpointSide row) => Verdict(row.Verdict, row.Requests, row.BlockedMs.Mean is not null);

    /// <summary>The server's own verdict.</summary>
    public static string Verdict(EndpointSnapshot row) =>
        Verdict(row.Verdict, row.Recent, row.BlockedMs.Mean is not null || row.Requests == 0);

    public static bool IsCollecting(string verdict) => verdict.StartsWith(Collecting, StringComparison.Ordinal);

    /// <summary>A verdict in words. One that is newer than this tool is shown as the report spells it.</summary>
    public static string Verdict(string? verdict) => verdict switch
    {
        null or "" => FigureText.NotAvailable,
        "cpuBound" => "CPU bound",
        EndpointVerdict.NotEnoughData => "no verdict",
        _ => string.Concat(verdict.Take(60).Select(c => char.IsAsciiLetterUpper(c) ? " " + char.ToLowerInvariant(c) : c.ToString())).Trim(),
    };

    public static string Pool(ServerSide server)
    {
        var parts = new List<string> { $"pool threads {FigureText.Whole(server.PoolThreadsStart)} → {FigureText.Whole(server.PoolThreadsMax)}" };
        Add("max queue delay", server.QueueDelayMaxMs, " ms");
        Add("max queued", server.PendingMax, "");
        Add("max blocked threads", server.BlockedThreadsMax, "");
        if (server.State is not null)
        {
            var end = server.EndAnswered
                ? "at the end"
                : string.Create(CultureInfo.InvariantCulture, $"in its last answer, {server.LastAnswerAt:0.0} s after the load began");
            var worst = server.WorstState is null || (server.WorstState, server.WorstCause) == (server.State, server.Cause)
                ? ""
                : $"{State(server.WorstState, server.WorstCause)} at worst, ";
            parts.Add($"{worst}{State(server.State, server.Cause)} {end}");
        }

        return string.Join(", ", parts);

        void Add(string name, double? value, string unit)
        {
            if (value is not null)
            {
                parts.Add($"{name} {(unit.Length > 0 ? FigureText.Ms(value) : FigureText.Whole(value))}{unit}");
            }
        }
    }

    /// <summary>How often a site blocked, marked if the count is incomplete.</summary>
    public static string Times(SiteSide site) => Times(site.Count, site.Sampled, site.Partial);

    /// <summary>How often a line blocked: counted, sampled, or counted in only some of the requests.</summary>
    public static string Times(long count, bool isSampled, bool isPartial) =>
        isSampled ? FigureText.Count(count, "sample") : FigureText.Number(count) + (isPartial ? "*" : "");

    public static IEnumerable<string> Legend(IEnumerable<SiteSide> sites)
    {
        if (sites.Any(site => site is { Partial: true, Sampled: false }))
        {
            yield return PartialLegend;
        }
    }

    /// <param name="verdict">The verdict as the report spells it.</param>
    /// <param name="requests">The requests that count towards it; null when the server doesn't say.</param>
    /// <param name="isMeasured">False when the system can't measure blocked time, so that more requests wouldn't help.</param>
    private static string Verdict(string? verdict, double? requests, bool isMeasured) => verdict switch
    {
        EndpointVerdict.NotEnoughData when !isMeasured => FigureText.NotAvailable,
        EndpointVerdict.NotEnoughData when requests < Verdicts.RequestsNeeded =>
            string.Create(CultureInfo.InvariantCulture, $"{Collecting}{requests} of {Verdicts.RequestsNeeded}"),
        _ => Verdict(verdict),
    };

    private static string State(string state, string? cause) => $"{state}{(cause is null or "none" ? "" : $" ({cause})")}";
}
