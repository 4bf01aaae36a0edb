using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>One answer of <c>/_threadpool</c>.</summary>
internal sealed record ServerSnapshot
{
    /// <summary>The schema that this tool reads. In other schemas, the same names may have other meanings.</summary>
    public const int KnownSchema = 1;

    public double Schema { get; init; }

    /// <summary>When it arrived here, as a timestamp of this process.</summary>
    public long ReceivedAt { get; init; }
    public string? Runtime { get; init; }
    public double? ProcessorCount { get; init; }
    public DateTimeOffset? StartedAt { get; init; }
    public double? UptimeMs { get; init; }
    public double? CpuLimit { get; init; }

    /// <summary>The CPU time that a request costs outside its held time; null until the server has measured it under load.</summary>
    public double? RequestOverheadMs { get; init; }
    public double? WorkingSetBytes { get; init; }
    public required PoolSnapshot Pool { get; init; }
    public IReadOnlyList<PoolMoment> History { get; init; } = [];
    public IReadOnlyList<EndpointSnapshot> Endpoints { get; init; } = [];

    /// <summary>Work other than requests, in rows of the same shape.</summary>
    public IReadOnlyList<EndpointSnapshot> Operations { get; init; } = [];
    public IReadOnlyList<SiteSnapshot> Sites { get; init; } = [];
    public IReadOnlyList<HeldSegment> Now { get; init; } = [];
    public string? Detection { get; init; }
    public string? SelfTest { get; init; }

    /// <summary>Whether stack snapshots look for the lines that the wait hook can't see.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>The lifeline's address on the server's own machine; null without a lifeline, or when the server doesn't say.</summary>
    public string? Lifeline { get; init; }

    public bool SelfTestFailed => SelfTest?.StartsWith("failed", StringComparison.Ordinal) == true;

    /// <summary>Whether some requests of every endpoint are watched, whether or not they block.</summary>
    public bool LooksAlways => Detection == "always";

    /// <summary>Whether a site's count is lower than the truth because not all requests are watched.</summary>
    public bool IsPartial(SiteSnapshot site) =>
        !site.Sampled
            && (!LooksAlways || Endpoints.Concat(Operations).Any(row => row.Explained < 0.9 && site.Endpoints.Contains(row.Endpoint)));
    public IReadOnlyList<string> NotAvailable { get; init; } = [];

    /// <summary>The server's clock when it answered; the clocks of the two machines may differ.</summary>
    public DateTimeOffset? ServerTime { get; private init; }

    /// <summary>The history of this process since the earlier snapshot; all of it without one.</summary>
    public IEnumerable<PoolMoment> HistorySince(ServerSnapshot? earlier) =>
        History.Where(moment => !(moment.At < StartedAt) && !(moment.At < earlier?.ServerTime));

    /// <summary>The same with its operations among its endpoints.</summary>
    public ServerSnapshot WithOperationsListed() => this with { Endpoints = [.. Endpoints, .. Operations], Operations = [] };

    /// <summary>Null when this is not an AsyncProbe report.</summary>
    /// <exception cref="JsonException">It contains a value that no server can have.</exception>
    public static ServerSnapshot? Read(JsonElement root, long receivedAt)
    {
        if (root.Number("schema") is not { } schema || root.Child("pool").ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        var process = root.Child("process");
        var startedAt = process.Time("startedAt");
        var uptime = process.Number("uptimeMs");
        var probe = root.Child("probe");
        return new ServerSnapshot
        {
            Schema = schema,
            ReceivedAt = receivedAt,
            Runtime = process.Text("runtime"),
            ProcessorCount = process.Number("processorCount"),
            StartedAt = startedAt,
            UptimeMs = uptime,
            // Calculated here rather than on use, so that a time beyond the calendar makes the report unreadable instead of failing the
            // run.
            ServerTime = uptime is null ? null : startedAt?.AddMilliseconds(uptime.Value),
            CpuLimit = process.Number("cpuLimit"),
            RequestOverheadMs = process.Number("requestOverheadMs"),
            WorkingSetBytes = process.Number("workingSetBytes"),
            Pool = PoolSnapshot.Read(root.Child("pool")),
            History = [.. root.Child("pool").Items("history").Select(PoolMoment.Read)],
            Endpoints = [.. root.Items("endpoints").Select(EndpointSnapshot.Read)],
            Operations = [.. root.Items("operations").Select(EndpointSnapshot.Read)],
            Sites = [.. root.Items("sites").Select(SiteSnapshot.Read)],
            Now = [.. root.Items("now").Select(HeldSegment.Read)],
            Detection = probe.Text("detection"),
            SelfTest = probe.Text("selfTest"),
            HasSnapshots = probe.Child("snapshots").ValueKind == JsonValueKind.Object,
            Lifeline = probe.Text("lifeline"),
            NotAvailable = [.. probe.Texts("notAvailable")],
        };
    }
}
