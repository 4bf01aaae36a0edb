using System.Text.Json;

namespace AsyncProbe.Cli.Server;

/// <summary>One call site that blocked, as the server names it.</summary>
internal sealed record SiteSnapshot
{
    public required string Kind { get; init; }
    public required string? At { get; init; }
    public required string? File { get; init; }
    public required double? Line { get; init; }
    public required string? Via { get; init; }
    public required double Count { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }
    public string? Allowed { get; init; }
    public bool Sampled { get; init; }
    public string? Awaitable { get; init; }
    public string? Source { get; init; }

    /// <summary>What makes two rows of two snapshots the same site.</summary>
    public string Key => $"{Kind}|{At}|{File}|{Line}|{Via}|{Allowed}";

    public string Describe()
    {
        var where = File is null ? "" : $" ({Path.GetFileName(File.Replace('\\', '/'))}{(Line is null ? "" : ":" + (int)Line)})";
        return $"{At ?? "unknown"}{where}";
    }

    public static SiteSnapshot Read(JsonElement row) => new()
    {
        Kind = row.Text("kind") ?? "unknown",
        At = row.Text("at"),
        File = row.Text("file"),
        Line = row.Number("line"),
        Via = row.Text("via"),
        Count = row.Number("count") ?? 0,
        BlockedMs = TimeSums.Read(row, "blockedMs"),
        Endpoints = [.. row.Texts("endpoints")],
        Allowed = row.Text("allowed"),
        Sampled = row.Flag("sampled"),
        Awaitable = row.Text("awaitable"),
        Source = row.Text("source"),
    };
}
