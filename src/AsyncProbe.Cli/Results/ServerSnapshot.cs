using System.Text.Json;

namespace AsyncProbe.Cli.Results;

/// <summary>One answer of <c>/_threadpool</c>.</summary>
internal sealed record ServerSnapshot
{
    /// <summary>When it arrived here, as a timestamp of this process.</summary>
    public long ReceivedAt { get; init; }
    public string? Runtime { get; init; }
    public double? ProcessorCount { get; init; }
    public DateTimeOffset? StartedAt { get; init; }
    public double? UptimeMs { get; init; }
    public double? CpuMs { get; init; }
    public double? WorkingSetBytes { get; init; }
    public required PoolSnapshot Pool { get; init; }
    public IReadOnlyList<PoolMoment> History { get; init; } = [];
    public IReadOnlyList<EndpointSnapshot> Endpoints { get; init; } = [];
    public IReadOnlyList<SiteSnapshot> Sites { get; init; } = [];
    public IReadOnlyList<LiveSegment> Now { get; init; } = [];
    public string? Detection { get; init; }
    public string? SelfTest { get; init; }
    public IReadOnlyList<string> NotAvailable { get; init; } = [];

    /// <summary>The server's clock when it answered; the two machines' clocks need not agree.</summary>
    public DateTimeOffset? ServerTime => StartedAt is { } started && UptimeMs is { } uptime ? started.AddMilliseconds(uptime) : null;

    /// <summary>Null when this is not a report of AsyncProbe.</summary>
    public static ServerSnapshot? Read(JsonElement root, long receivedAt)
    {
        if (root.Number("schema") is null || root.Child("pool").ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        var process = root.Child("process");
        var probe = root.Child("probe");
        return new ServerSnapshot
        {
            ReceivedAt = receivedAt,
            Runtime = process.Text("runtime"),
            ProcessorCount = process.Number("processorCount"),
            StartedAt = process.Time("startedAt"),
            UptimeMs = process.Number("uptimeMs"),
            CpuMs = process.Number("cpuMs"),
            WorkingSetBytes = process.Number("workingSetBytes"),
            Pool = PoolSnapshot.Read(root.Child("pool")),
            History = [.. root.Child("pool").Items("history").Select(PoolMoment.Read)],
            Endpoints = [.. root.Items("endpoints").Select(EndpointSnapshot.Read)],
            Sites = [.. root.Items("sites").Select(SiteSnapshot.Read)],
            Now = [.. root.Items("now").Select(LiveSegment.Read)],
            Detection = probe.Text("detection"),
            SelfTest = probe.Text("selfTest"),
            NotAvailable = [.. probe.Items("notAvailable").Where(item => item.ValueKind == JsonValueKind.String).Select(item => item.GetString()!)],
        };
    }
}
