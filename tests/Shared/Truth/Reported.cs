using System.Text.Json;

namespace AsyncProbe.Tests.Truth;

/// <summary>The report's rows, as the judge reads them.</summary>
internal sealed class Reported(JsonElement report)
{
    public JsonElement Json { get; } = report;

    /// <summary>Endpoints and operations, which have the same kind of row.</summary>
    public IReadOnlyList<ReportedEndpoint> Endpoints { get; } =
        [.. new[] { "endpoints", "operations" }.SelectMany(table => report.GetProperty(table).EnumerateArray()).Select(
            e => new ReportedEndpoint(e))];

    public IReadOnlyList<ReportedSite> Sites { get; } = [.. report.GetProperty("sites").EnumerateArray().Select(s => new ReportedSite(s))];

    public ReportedEndpoint? Find(string endpoint) => Endpoints.FirstOrDefault(e => e.Name == endpoint);

    public IEnumerable<ReportedSite> SitesOf(string endpoint) => Sites.Where(s => s.Endpoints.Contains(endpoint));
}

internal sealed class ReportedEndpoint(JsonElement row)
{
    public JsonElement Json { get; } = row;

    public string Name { get; } = row.GetProperty("endpoint").GetString()!;

    public long Requests { get; } = row.GetProperty("requests").GetInt64();

    public long Failed { get; } = row.GetProperty("failed").GetInt64();

    public ReportedTimes Held { get; } = new(row, "heldMs");

    public ReportedTimes Cpu { get; } = new(row, "cpuMs");

    public ReportedTimes Blocked { get; } = new(row, "blockedMs");

    public ReportedTimes CpuWait { get; } = new(row, "cpuWaitMs");

    public ReportedTimes Gc { get; } = new(row, "gcMs");

    public ReportedTimes AfterResponse { get; } = new(row, "afterResponseMs");

    /// <summary>Whether most of the held time is a wait for a core.</summary>
    public bool IsMostlyCpuWait => CpuWait.Total > Held.Total / 2;

    public double? SegmentsPerRequest { get; } = Number(row, "segmentsPerRequest");

    public string Verdict { get; } = row.GetProperty("verdict").GetString()!;

    public string Advice { get; } = row.GetProperty("advice").GetString()!;

    /// <summary>The section of the help that the report refers to.</summary>
    public string? Help { get; } = row.GetProperty("help").GetString();

    public double? Explained { get; } = Number(row, "explained");

    /// <summary>Requests a second as the code is, and below it with async: low and high.</summary>
    public (double?, double?) Now { get; } = Range(row, "now");

    public (double?, double?) IfAsync { get; } = Range(row, "ifAsync");

    internal static double? Number(JsonElement row, string name) =>
        row.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.Number ? value.GetDouble() : null;

    private static (double?, double?) Range(JsonElement row, string name) =>
        row.GetProperty("ceilingPerSecond") is { ValueKind: JsonValueKind.Object } ceiling
            && ceiling.GetProperty(name) is { ValueKind: JsonValueKind.Object } range
            ? (Number(range, "low"), Number(range, "high"))
            : (null, null);
}

/// <summary>Milliseconds; null if the report has none.</summary>
internal sealed record ReportedTimes(double? Total, double? Mean, double? Max)
{
    public ReportedTimes(JsonElement row, string name)
        : this(Of(row, name, "total"), Of(row, name, "mean"), Of(row, name, "max"))
    {
    }

    private static double? Of(JsonElement row, string name, string part) =>
        row.TryGetProperty(name, out var times) && times.ValueKind == JsonValueKind.Object ? ReportedEndpoint.Number(times, part) : null;
}

internal sealed class ReportedSite(JsonElement row)
{
    public string Kind { get; } = row.GetProperty("kind").GetString()!;

    public string At { get; } = row.GetProperty("at").GetString()!;

    /// <summary>The file name without the folder.</summary>
    public string? File { get; } = row.GetProperty("file").GetString()?.Split('/', '\\')[^1];

    public int? Line { get; } = row.GetProperty("line") is { ValueKind: JsonValueKind.Number } line ? line.GetInt32() : null;

    public long Count { get; } = row.GetProperty("count").GetInt64();

    public ReportedTimes Blocked { get; } = new(row, "blockedMs");

    /// <summary>Work after the response is reported under the endpoint's name, followed by these words.</summary>
    public const string AfterResponse = " (after response)";

    /// <summary>The part of the blocked time that was measured wait by wait, in milliseconds.</summary>
    public double MeasuredMs { get; } = row.GetProperty("evidence").GetProperty("measuredMs").GetDouble();

    /// <summary>Whether some of it is work after the response, which an endpoint doesn't count as blocked.</summary>
    public bool IsAfterResponse { get; } = row.GetProperty("endpoints").EnumerateArray()
        .Any(e => e.GetString()!.EndsWith(AfterResponse, StringComparison.Ordinal));

    public IReadOnlyList<string> Endpoints { get; } =
        [.. row.GetProperty("endpoints").EnumerateArray().Select(
            e => e.GetString()!.Replace(AfterResponse, "", StringComparison.Ordinal)).Distinct()];

    /// <summary>The library that owns the lock.</summary>
    public string? Owner { get; } =
        row.TryGetProperty("owner", out var owner) && owner.ValueKind == JsonValueKind.Object ? owner.GetProperty("name").GetString() : null;

    public string? Allowed { get; } = row.GetProperty("allowed").GetString();

    public bool IsFromSnapshot { get; } = row.GetProperty("sampled").GetBoolean();

    /// <summary>The site as logs, headers and sentences write it.</summary>
    public string Text => Line is null ? At : $"{At} ({File}:{Line})";
}
