using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>One row of the server's endpoint table.</summary>
internal sealed record EndpointSnapshot
{
    /// <summary>The server adds up hundredths in a 64-bit number. One wait of three hours is more than any other figure may be.</summary>
    private const double LargestSquares = long.MaxValue / 100.0;

    public required string Endpoint { get; init; }
    public required double Requests { get; init; }
    public required double Failed { get; init; }
    public required double FromCache { get; init; }
    public required double? InFlight { get; init; }
    public required TimeSums HeldMs { get; init; }
    public required TimeSums CpuMs { get; init; }
    public required TimeSums BlockedMs { get; init; }

    /// <summary>The requests that were blocked for 1 ms or more where blocking isn't allowed; null from an older server.</summary>
    public double? BlockedRequests { get; init; }

    /// <summary>The sum of the squares of those requests' blocked times there, in ms²; null from an older server.</summary>
    public double? BlockedSquaresMs2 { get; init; }
    public required TimeSums CpuWaitMs { get; init; }
    public required TimeSums GcMs { get; init; }

    /// <summary>Null from an older server.</summary>
    public TimeSums? BlockedInGcMs { get; init; }

    /// <summary>Allowed blocked time, as far as it is known for every request; null from an older server.</summary>
    public TimeSums? AllowedMs { get; init; }
    public required double? DurationMeanMs { get; init; }
    public required double? SegmentsPerRequest { get; init; }
    public required CeilingSnapshot? Ceiling { get; init; }

    /// <summary>The share of the blocked time that its sites explain, 0 to 1.</summary>
    public double? Explained { get; init; }

    /// <summary>The number of requests that the verdict is based on; null when the server doesn't say.</summary>
    public double? Recent { get; init; }

    /// <summary>What the blocked time of those requests consists of; null when the server doesn't say.</summary>
    public BlockedShares? Shares { get; init; }
    public required string? Verdict { get; init; }
    public required string? Advice { get; init; }

    public static EndpointSnapshot Read(JsonElement row) => new()
    {
        Endpoint = row.Text("endpoint") ?? "(unnamed)",
        Requests = row.Number("requests") ?? 0,
        Failed = row.Number("failed") ?? 0,
        FromCache = row.Number("fromCache") ?? 0,
        InFlight = row.Number("inFlight"),
        HeldMs = TimeSums.Read(row, "heldMs"),
        CpuMs = TimeSums.Read(row, "cpuMs"),
        BlockedMs = TimeSums.Read(row, "blockedMs"),
        BlockedRequests = row.Number("blockedRequests"),
        BlockedSquaresMs2 = row.Number("blockedSquaresMs2", LargestSquares),
        CpuWaitMs = TimeSums.Read(row, "cpuWaitMs"),
        GcMs = TimeSums.Read(row, "gcMs"),
        BlockedInGcMs = row.Child("blockedInGcMs").Number("total") is null ? null : TimeSums.Read(row, "blockedInGcMs"),
        AllowedMs = row.Child("allowedMs").Number("total") is null ? null : TimeSums.Read(row, "allowedMs"),
        DurationMeanMs = row.Child("durationMs").Number("mean"),
        SegmentsPerRequest = row.Number("segmentsPerRequest"),
        Ceiling = CeilingSnapshot.Read(row.Child("ceilingPerSecond")),
        Explained = row.Number("explained"),
        // The recent part is missing until the first request counts.
        Recent = row.ValueKind == JsonValueKind.Object && row.TryGetProperty("recent", out var recent) ? recent.Number("requests")
            ?? 0 : null,
        Shares = BlockedShares.Read(row.Child("recent")),
        Verdict = row.Text("verdict"),
        Advice = row.Text("advice"),
    };
}
