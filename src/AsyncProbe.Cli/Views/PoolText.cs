using System.Diagnostics;
using System.Globalization;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Describes the server's current pool in one line.</summary>
internal static class PoolText
{
    public static string Describe(ServerSnapshot server)
    {
        var pool = server.Pool;
        var age = Stopwatch.GetElapsedTime(server.ReceivedAt).TotalSeconds;
        var old = age < 2.5 ? "" : string.Create(CultureInfo.InvariantCulture, $"   NO ANSWER for {age:0} s");
        return string.Create(CultureInfo.InvariantCulture,
            $"server: {pool.State ?? "?"}{(pool.Cause is null or "none" ? "" : $" ({pool.Cause})")}, {pool.Threads?.ToString("N0", CultureInfo.InvariantCulture) ?? FigureText.NotAvailable} threads, {pool.Busy?.ToString("N0", CultureInfo.InvariantCulture) ?? FigureText.NotAvailable} busy, {pool.Pending?.ToString("N0", CultureInfo.InvariantCulture) ?? FigureText.NotAvailable} queued, queue delay {FigureText.Ms(pool.QueueDelayMs)} ms{old}");
    }
}
