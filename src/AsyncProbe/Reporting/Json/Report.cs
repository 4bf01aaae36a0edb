using System.Text.Json;
using System.Text.Json.Serialization;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>
/// The JSON of <c>/_threadpool</c>. Times are milliseconds; null means that the figure is not available. The long lists are read when the
/// report is made, and their rows put into words while they are written: rows that live for a moment cost the garbage collector nothing.
/// </summary>
internal sealed record Report(
    int Schema,
    ProcessReport Process,
    PoolReport Pool,
    IEnumerable<EndpointReport> Endpoints,
    IEnumerable<EndpointReport> Operations,
    IEnumerable<SiteReport> Sites,
    IReadOnlyList<NowReport> Now,
    ProbeReport Probe);

internal sealed record ProcessReport(
    string Host, string Name, string? Version, int Id, int ProcessorCount, string Runtime, string Os, double? CpuLimit, DateTime? StartedAt,
    double? UptimeMs, double CpuMs, double GcPauseMs, long WorkingSetBytes, long GcHeapBytes);

internal sealed record PoolReport(
    WorkersReport Workers,
    IoReport Io,
    int Threads,
    long Pending,
    long Completed,
    double QueueDelayMs,
    double QueueDelayMaxMs,
    UnclaimedReport Unclaimed,
    string State,
    string Cause,
    DateTime Since,
    string? Advice,
    DoNowReport? DoNow,
    IReadOnlyList<PoolSecondReport> History);

/// <summary>What ends a starvation without a change of code, until that is made; the same figure in the whole episode.</summary>
/// <param name="Threads">The number of threads to set.</param>
/// <param name="Environment">A setting of the environment, for a restart.</param>
/// <param name="Code">The same in code.</param>
/// <param name="Why">What it does, as a sentence.</param>
internal sealed record DoNowReport(int Threads, string Environment, string Code, string Why);

/// <summary>Busy pool threads that run neither a request nor an operation, and where a snapshot has seen such threads lately.</summary>
internal sealed record UnclaimedReport(int Busy, IReadOnlyList<UnclaimedSiteReport> Sites);

internal sealed record UnclaimedSiteReport(string Kind, string At, string? File, int? Line, int Threads);

internal sealed record WorkersReport(int Available, int Busy, int Min, int Max);

/// <summary>Since .NET 8 the runtime has no I/O pool of its own: what is available is whatever the maximum is, always.</summary>
internal sealed record IoReport(int Available, int Min, int Max, bool Constant);

[JsonConverter(typeof(PoolSecondConverter))]
internal readonly record struct PoolSecondReport(PoolSecond Second);

/// <summary>An endpoint or an operation: one shape for both, so that whoever reads one can read the other.</summary>
internal sealed record EndpointReport(
    string Endpoint,
    long Requests,
    int InFlight,
    long Failed,
    long Aborted,
    long FromCache,
    TimesReport? HeldMs,
    TimesReport? CpuMs,
    TimesReport? BlockedMs,
    long? BlockedRequests,
    double? BlockedSquaresMs2,
    TimesReport? AllowedMs,
    TimesReport? CpuWaitMs,
    TimesReport? GcMs,
    TimesReport? BlockedInGcMs,
    TimesReport AfterResponseMs,
    double? SegmentsPerRequest,
    DurationReport DurationMs,
    RecentReport? Recent,
    CeilingReport? CeilingPerSecond,
    string Verdict,
    CollectingReport? Collecting,
    string Advice,
    string? Help,
    double? Explained);

/// <summary>How many warm requests there are, and how many a verdict needs; null when there is one, or can be none.</summary>
internal sealed record CollectingReport(long Requests, int Needed);

/// <summary>Written as milliseconds.</summary>
[JsonConverter(typeof(TimesConverter))]
internal readonly record struct TimesReport(Duration Total, Duration? Mean, Duration Max);

/// <summary>Written as milliseconds.</summary>
[JsonConverter(typeof(DurationConverter))]
internal readonly record struct DurationReport(Duration? Mean, Duration? P50, Duration? P95, Duration? P99, Duration? Max);

/// <summary>
/// Means over the last busy minutes, by which the verdict goes, and what their blocked time consists of. Written as milliseconds.
/// </summary>
[JsonConverter(typeof(RecentConverter))]
internal readonly record struct RecentReport(
    long Requests, Duration Held, Duration? Cpu, Duration? Blocked, Duration? Allowed, Duration? Locks, Duration? Provider,
    Duration? Unclear, Duration? Unexplained, Duration? Duration);

[JsonConverter(typeof(CeilingConverter))]
internal readonly record struct CeilingReport(int Threads, Rate Now, Rate IfAsync);

internal sealed record SiteReport(
    string Kind,
    string At,
    string? File,
    int? Line,
    string? Via,
    long Count,
    TimesReport BlockedMs,
    IReadOnlyList<string> Endpoints,
    DateTime FirstSeen,
    DateTime LastSeen,
    string? Allowed,
    bool Sampled,
    int Hits,
    EvidenceReport Evidence,
    bool Partial,
    string? Help,
    string? Awaitable,
    string? Instead,
    OwnerReport? Owner,
    string? Limit,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Source,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<string>? Stack);

/// <summary>The library that owns a contended lock.</summary>
internal sealed record OwnerReport(string Name, bool IsLogger);

/// <summary>What a call site's blocked time rests on.</summary>
/// <param name="Measured">Waits that were timed from their beginning to their end.</param>
/// <param name="MeasuredMs">How long those lasted.</param>
/// <param name="Hits">Waits that stack samples met.</param>
/// <param name="SampledMs">How long those were seen to last, and the share of the endpoints' blocked time that their number supports.</param>
internal sealed record EvidenceReport(long Measured, double MeasuredMs, int Hits, double SampledMs);

/// <summary>Threads that are held now by one endpoint at one place; the times are those of the one that is held longest.</summary>
/// <param name="Endpoint">The endpoint.</param>
/// <param name="Threads">How many.</param>
/// <param name="HeldMs">For how long.</param>
/// <param name="CpuMs">The CPU time used meanwhile.</param>
/// <param name="At">Where they wait; null when that is not known.</param>
/// <param name="Looked">Whether anybody has looked.</param>
/// <param name="MostlyAt">Where other requests of the endpoint mostly waited, when nobody has looked at these.</param>
internal sealed record NowReport(string Endpoint, int Threads, double HeldMs, double? CpuMs, string? At, bool Looked, string? MostlyAt);

internal sealed record ProbeReport(
    string? Version,
    string Detection,
    string? SelfTest,
    int ArmedEndpoints,
    double? CpuMs,
    DroppedReport Dropped,
    long Faults,
    IReadOnlyList<string> NotAvailable,
    IReadOnlyList<string> StaleAllowRules,
    SnapshotsReport? Snapshots,
    string? Lifeline);

/// <summary>Stack snapshots since the start; null when no stack source is there.</summary>
internal sealed record SnapshotsReport(int Taken, int Failed, DateTime? LastAt, double? LastMs, int Windows);

/// <summary>The answer to <c>POST /_threadpool/snapshot</c>; an error when none was taken.</summary>
internal sealed record SnapshotReport(DateTime? At, double? Ms, IReadOnlyList<SampledReport> Found, string? Error);

internal sealed record SampledReport(string Endpoint, string Kind, string At, string? File, int? Line, double HeldMs, double BlockedMs);

internal sealed record DroppedReport(long Endpoints, long Operations, long Sites);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Report))]
[JsonSerializable(typeof(SnapshotReport))]
internal sealed partial class ReportJson : JsonSerializerContext
{
    private static ReportJson? s_current;

    public static ReportJson Current => s_current ?? Default;

    /// <summary>
    /// Starts with a new context. The serializer remembers a type that it failed to describe, for want of memory for example, and fails
    /// with it from then on.
    /// </summary>
    public static void Renew() => s_current = new ReportJson(new JsonSerializerOptions(Default.Options));
}
