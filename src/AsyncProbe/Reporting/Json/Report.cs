using System.Text.Json.Serialization;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>
/// The JSON of <c>/_threadpool</c>. Times are in milliseconds; null means that a figure isn't available. The long lists are read when the
/// report is made, but each row is created only as it's written: such short-lived rows cost the garbage collector almost nothing.
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
    double? UptimeMs, double CpuMs, double GcPauseMs, double? RequestOverheadMs, long WorkingSetBytes, long GcHeapBytes);

internal sealed record PoolReport(
    WorkersReport Workers,
    IoReport Io,
    int? Threads,
    long? Pending,
    long? Completed,
    double? QueueDelayMs,
    double? QueueDelayMaxMs,
    UnclaimedReport Unclaimed,
    string? State,
    string? Cause,
    DateTime? Since,
    string? Advice,
    DoNowReport? DoNow,
    IReadOnlyList<PoolSecondReport> History);

/// <summary>A setting that ends the starvation until the code is fixed. It stays the same for the whole episode.</summary>
/// <param name="Threads">The number of threads to set.</param>
/// <param name="Environment">The setting as an environment variable, which needs a restart.</param>
/// <param name="Code">The same setting as code.</param>
/// <param name="Why">A sentence that says what it does.</param>
internal sealed record DoNowReport(int Threads, string Environment, string Code, string Why);

/// <summary>Busy pool threads that run neither a request nor an operation, and where a recent snapshot saw them.</summary>
internal sealed record UnclaimedReport(int? Busy, IReadOnlyList<UnclaimedSiteReport> Sites);

internal sealed record UnclaimedSiteReport(string Kind, string At, string? File, int? Line, int Threads);

internal sealed record WorkersReport(int? Available, int? Busy, int Min, int Max);

/// <summary>Since .NET 8 the runtime has no separate I/O pool, so the available threads always equal the maximum.</summary>
internal sealed record IoReport(int Available, int Min, int Max, bool Constant);

[JsonConverter(typeof(PoolSecondConverter))]
internal readonly record struct PoolSecondReport(PoolSecond Second);

/// <summary>An endpoint or an operation. Both have the same shape, so a program that reads one can read the other.</summary>
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

/// <summary>How many warm requests there are and how many a verdict needs; null if there is a verdict, or can't be one.</summary>
internal sealed record CollectingReport(long Requests, int Needed);

/// <summary>Written in milliseconds.</summary>
[JsonConverter(typeof(TimesConverter))]
internal readonly record struct TimesReport(Duration Total, Duration? Mean, Duration Max);

/// <summary>Written in milliseconds.</summary>
[JsonConverter(typeof(DurationConverter))]
internal readonly record struct DurationReport(Duration? Mean, Duration? P50, Duration? P95, Duration? P99, Duration? Max);

/// <summary>
/// Means over the last busy minutes, on which the verdict is based, and the parts of their blocked time. Written in milliseconds.
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
    string? Provider,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Source,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<string>? Stack);

/// <summary>The library that owns a contended lock.</summary>
internal sealed record OwnerReport(string Name, bool IsLogger);

/// <summary>The evidence behind a call site's blocked time.</summary>
/// <param name="Measured">How many waits were timed from beginning to end.</param>
/// <param name="MeasuredMs">How long their threads were blocked in them.</param>
/// <param name="Hits">How many waits the stack samples hit.</param>
/// <param name="SampledMs">How long those were seen to last, plus the share of the endpoints' blocked time that the hits support.</param>
internal sealed record EvidenceReport(long Measured, double MeasuredMs, int Hits, double SampledMs);

/// <summary>Threads that one endpoint holds right now at one place. The times are those of the thread held longest.</summary>
/// <param name="Threads">How many threads.</param>
/// <param name="HeldMs">How long the thread has been held.</param>
/// <param name="CpuMs">The CPU time it has used since then.</param>
/// <param name="At">Where the threads wait; null if unknown.</param>
/// <param name="Looked">Whether these requests were watched.</param>
/// <param name="MostlyAt">Where the endpoint's other requests mostly waited, if these weren't watched.</param>
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

/// <summary>Stack snapshots since the start; null without a stack source.</summary>
internal sealed record SnapshotsReport(int Taken, int Failed, DateTime? LastAt, double? LastMs, int Windows, bool WindowsPaused);

/// <summary>The answer to <c>POST /_threadpool/snapshot</c>, with an error if no snapshot was taken.</summary>
internal sealed record SnapshotReport(DateTime? At, double? Ms, IReadOnlyList<SampledReport> Found, string? Error);

internal sealed record SampledReport(string Endpoint, string Kind, string At, string? File, int? Line, double HeldMs, double BlockedMs);

internal sealed record DroppedReport(long Endpoints, long Operations, long Sites);
