using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>A line where a stack snapshot found pool threads that don't run a request known to the probe.</summary>
internal sealed record UnclaimedSnapshot
{
    public required string Kind { get; init; }
    public required string At { get; init; }
    public string? File { get; init; }
    public int? Line { get; init; }
    public required int Threads { get; init; }

    public string Describe()
    {
        var where = File is null ? "" : $" ({Path.GetFileName(File.Replace('\\', '/'))}{(Line is null ? "" : ":" + Line)})";
        var threads = Threads == 1 ? "1 pool thread was" : string.Create(CultureInfo.InvariantCulture, $"{Threads} pool threads were");
        return $"{threads} blocked at {At}{where} ({Kind}), seen in one stack snapshot: requests that began before the probe did, or other work.";
    }

    public static UnclaimedSnapshot Read(JsonElement row) => new()
    {
        Kind = row.Text("kind") ?? "unknown",
        At = row.Text("at") ?? "unknown",
        File = row.Text("file"),
        Line = (int?)row.Number("line"),
        Threads = (int)(row.Number("threads") ?? 0),
    };
}
