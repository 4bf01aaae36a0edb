using System.Text.Json;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Snapshots;

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

    /// <summary>How many of its waits the server timed from beginning to end; null from an older server.</summary>
    public double? Measured { get; init; }

    /// <summary>How long those waits took together.</summary>
    public double? MeasuredMs { get; init; }
    public string? Allowed { get; init; }
    public bool Sampled { get; init; }
    public string? Awaitable { get; init; }
    public string? Instead { get; init; }
    public string? Help { get; init; }
    public string? Owner { get; init; }
    public bool IsLogger { get; init; }
    public string? Limit { get; init; }
    public SynchronousProvider? Provider { get; init; }
    public string? Source { get; init; }

    /// <summary>Identifies the same site in two snapshots.</summary>
    public string Key => $"{Kind}|{At}|{File}|{Line}|{Via}|{Allowed}";

    public string Describe()
    {
        var where = File is null ? "" : $" ({Path.GetFileName(File.Replace('\\', '/'))}{(Line is null ? "" : ":" + (int)Line)})";
        return $"{At ?? "unknown"}{where}";
    }

    /// <summary>
    /// The mean wait since another snapshot. The total also includes shares of the endpoint's blocked time that don't belong to a single
    /// wait, so it must not be divided by the number of waits.
    /// </summary>
    public double? MeanSince(SiteSnapshot? before)
    {
        var count = Count - (before?.Count ?? 0);
        var mean = count <= 0 ? null
            : Measured == Count ? (MeasuredMs - (before?.MeasuredMs ?? 0)) / count
            : RoundedMeans.Between(before?.BlockedMs.Mean, before?.Count, BlockedMs.Mean, Count);
        return mean is { } ms ? Math.Round(Math.Max(0, ms), 3) : null;
    }

    // A server that doesn't send the name is older than the files.
    private static SynchronousProvider? ProviderOf(string? help, string? name) => help switch
    {
        HelpSections.Files => SynchronousProvider.Files,
        HelpSections.Provider => name is null ? SynchronousProvider.SomeDatabase : SynchronousProvider.Database(name),
        _ => null,
    };

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
        Measured = row.Child("evidence").Number("measured"),
        MeasuredMs = row.Child("evidence").Number("measuredMs"),
        Allowed = row.Text("allowed"),
        Sampled = row.Flag("sampled"),
        Awaitable = row.Text("awaitable"),
        Instead = row.Text("instead"),
        Help = row.Text("help"),
        Owner = row.Child("owner").Text("name"),
        IsLogger = row.Child("owner").Flag("isLogger"),
        Limit = row.Text("limit"),
        Provider = ProviderOf(row.Text("help"), row.Text("provider")),
        Source = row.Text("source"),
    };
}
