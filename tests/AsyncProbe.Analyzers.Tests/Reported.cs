using System.Text.Json;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>Writes reports as the server and the command do.</summary>
internal static class Reported
{
    /// <summary>The report as GET /_threadpool returns it.</summary>
    public static string Server(params object[] sites) =>
        JsonSerializer.Serialize(new { schema = 1, pool = new { unclaimed = new { sites = Array.Empty<string>() } }, sites });

    public static object Site(
        string at, int line, string kind = "Task.Wait", string? awaitable = "await", string? source = null, string? file = "Store.cs",
        long count = 4310, double? mean = 212, string? allowed = null, string? via = null, bool partial = false, bool sampled = false,
        bool earlier = false, params string[] endpoints) => new
        {
            kind,
            at,
            file,
            line,
            via,
            count,
            blockedMs = new { total = count * mean, mean, max = mean },
            endpoints = endpoints.Length > 0 ? endpoints : ["GET /checkout"],
            allowed,
            sampled,
            partial,
            earlier,
            awaitable,
            source,
            stack = new[] { "…" },
        };
}
