using System.Globalization;
using AsyncProbe.Cli.Results;

namespace AsyncProbe.Cli.Views;

/// <summary>Sentences about the server, the same in every view.</summary>
internal static class ServerText
{
    public static string Absence(ServerSide server) => server.Status switch
    {
        ServerStatus.Off => "Server: not asked (--probe off).",
        ServerStatus.NoAnswer or ServerStatus.Unreachable => $"Server: {server.Url} did not answer, so only the client's side is known.",
        _ => $"Server: {server.Url} is no AsyncProbe report, so only the client's side is known. Map it with app.MapAsyncProbe(), or name it with --probe URL.",
    };

    public static string Pool(ServerSide server)
    {
        var parts = new List<string> { $"pool threads {Whole(server.PoolThreadsStart)} → {Whole(server.PoolThreadsMax)}" };
        Add("queue delay at most", server.QueueDelayMaxMs, " ms");
        Add("queued at most", server.PendingMax, "");
        Add("blocked threads at most", server.BlockedThreadsMax, "");
        if (server.State is not null)
        {
            parts.Add($"{server.State}{(server.Cause is null or "none" ? "" : $" ({server.Cause})")} at the end");
        }

        return string.Join(", ", parts);

        void Add(string name, double? value, string unit)
        {
            if (value is not null)
            {
                parts.Add($"{name} {(unit.Length > 0 ? Text.Ms(value) : Whole(value))}{unit}");
            }
        }
    }

    public static string Range(double? low, double? high) => (low, high) switch
    {
        (null, null) => Text.NotAvailable,
        ({ } a, { } b) when Text.Rate(a) != Text.Rate(b) => $"{Text.Rate(a)}–{Text.Rate(b)}",
        _ => Text.Rate(high ?? low),
    };

    private static string Whole(double? value) => value?.ToString("N0", CultureInfo.InvariantCulture) ?? Text.NotAvailable;
}
