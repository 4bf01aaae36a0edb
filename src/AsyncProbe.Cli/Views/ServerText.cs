using System.Globalization;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Sentences about the server, the same in every view.</summary>
internal static class ServerText
{
    public static string Absence(ServerSide server) => server.Status switch
    {
        ServerStatus.Off => "Server: not asked (--probe off).",
        ServerStatus.NoAnswer => $"Server: {server.Url} did not answer in time, so only the client's side is known.",
        ServerStatus.Unreachable => $"Server: nothing listens at {server.Url}, so only the client's side is known.",
        ServerStatus.Reset => $"Server: {server.Url} closed the connection in the middle of its answer, so only the client's side is known.",
        ServerStatus.NotThere => $"Server: {server.Url} answers 404, so only the client's side is known. {SnapshotSource.HowToOpenReport} If it is elsewhere, name it with --probe URL.",
        _ => $"Server: {server.Url} is not an AsyncProbe report, so only the client's side is known. Name it with --probe URL.",
    };

    /// <summary>A verdict in words. One that is newer than this tool is shown as it is spelled.</summary>
    public static string Verdict(string? verdict) => verdict switch
    {
        null or "" => FigureText.NotAvailable,
        "cpuBound" => "CPU bound",
        _ => string.Concat(verdict.Take(60).Select(c => char.IsAsciiLetterUpper(c) ? " " + char.ToLowerInvariant(c) : c.ToString())).Trim(),
    };

    public static string Pool(ServerSide server)
    {
        var parts = new List<string> { $"pool threads {Whole(server.PoolThreadsStart)} → {Whole(server.PoolThreadsMax)}" };
        Add("queue delay at most", server.QueueDelayMaxMs, " ms");
        Add("queued at most", server.PendingMax, "");
        Add("blocked threads at most", server.BlockedThreadsMax, "");
        if (server.State is not null)
        {
            var end = server.EndAnswered ? "at the end" : string.Create(CultureInfo.InvariantCulture, $"in its last answer, {server.LastAnswerAt:0.0} s after the load began");
            var worst = server.WorstState is null || (server.WorstState, server.WorstCause) == (server.State, server.Cause) ? "" : $"{State(server.WorstState, server.WorstCause)} at worst, ";
            parts.Add($"{worst}{State(server.State, server.Cause)} {end}");
        }

        return string.Join(", ", parts);

        void Add(string name, double? value, string unit)
        {
            if (value is not null)
            {
                parts.Add($"{name} {(unit.Length > 0 ? FigureText.Ms(value) : Whole(value))}{unit}");
            }
        }
    }

    /// <summary>How often a site blocked, marked where that is not all.</summary>
    public static string Times(SiteSide site) => FigureText.Number(site.Count) + (site.Sampled ? " samples" : site.Partial ? "*" : "");

    public static IEnumerable<string> Legend(IEnumerable<SiteSide> sites)
    {
        if (sites.Any(site => site is { Partial: true, Sampled: false }))
        {
            yield return "* seen in the requests that were looked at; all requests had more";
        }
    }

    private static string State(string state, string? cause) => $"{state}{(cause is null or "none" ? "" : $" ({cause})")}";

    private static string Whole(double? value) => value?.ToString("N0", CultureInfo.InvariantCulture) ?? FigureText.NotAvailable;
}
