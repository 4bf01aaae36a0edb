using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace AsyncProbe.Reporting;

/// <summary>The JSON of <c>/_threadpool</c>. Times are milliseconds; null means that the figure is not available.</summary>
internal sealed record Report(
    int Schema,
    ProcessReport Process,
    PoolReport Pool,
    IReadOnlyList<EndpointReport> Endpoints,
    IReadOnlyList<SiteReport> Sites,
    IReadOnlyList<NowReport> Now,
    ProbeReport Probe);

internal sealed record ProcessReport(
    int ProcessorCount, string Runtime, string Os, double? CpuLimit, DateTime StartedAt, double UptimeMs, double CpuMs, double GcPauseMs, long WorkingSetBytes, long GcHeapBytes);

internal sealed record PoolReport(
    WorkersReport Workers,
    IoReport Io,
    int Threads,
    long Pending,
    long Completed,
    double QueueDelayMs,
    double QueueDelayMaxMs,
    string State,
    string Cause,
    DateTime Since,
    string? Advice,
    IReadOnlyList<PoolSecondReport> History);

internal sealed record WorkersReport(int Available, int Busy, int Min, int Max);

/// <summary>Since .NET 8 the runtime has no I/O pool of its own: what is available is whatever the maximum is, always.</summary>
internal sealed record IoReport(int Available, int Min, int Max, bool Constant);

internal sealed record PoolSecondReport(DateTime At, int Threads, long Pending, int Busy, double QueueDelayMs, int? BlockedThreads, double CpuPercent);

internal sealed record EndpointReport(
    string Endpoint,
    long Requests,
    int InFlight,
    long Failed,
    long Aborted,
    long FromCache,
    TimesReport HeldMs,
    TimesReport? CpuMs,
    TimesReport? BlockedMs,
    TimesReport? WaitingMs,
    TimesReport? GcMs,
    TimesReport AfterResponseMs,
    double? SegmentsPerRequest,
    DurationReport DurationMs,
    CeilingReport? CeilingPerSecond,
    string Verdict,
    string Advice,
    double? Explained);

internal sealed record TimesReport(double Total, double? Mean, double Max);

internal sealed record DurationReport(double? Mean, double? P50, double? P95, double? P99, double? Max);

internal sealed record CeilingReport(int Threads, RateReport Now, RateReport IfAsync);

internal sealed record RateReport(double? Low, double? High);

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
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<string>? Stack);

internal sealed record NowReport(string Endpoint, double HeldMs, double? CpuMs, string? At);

internal sealed record ProbeReport(
    string Detection,
    string? SelfTest,
    int ArmedEndpoints,
    double? CpuMs,
    DroppedReport Dropped,
    IReadOnlyList<string> NotAvailable,
    IReadOnlyList<string> StaleAllowRules,
    SnapshotsReport? Snapshots);

/// <summary>Stack snapshots since the start; null when no stack source is there.</summary>
internal sealed record SnapshotsReport(int Taken, int Failed, DateTime? LastAt, double? LastMs);

/// <summary>The answer to <c>POST /_threadpool/snapshot</c>; an error when none was taken.</summary>
internal sealed record SnapshotReport(DateTime? At, double? Ms, IReadOnlyList<SampledReport> Found, string? Error);

internal sealed record SampledReport(string Endpoint, string Kind, string At, string? File, int? Line, double HeldMs, double BlockedMs);

internal sealed record DroppedReport(long Endpoints, long Sites);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Report))]
[JsonSerializable(typeof(SnapshotReport))]
internal sealed partial class ReportJson : JsonSerializerContext
{
    /// <summary>Leaves "×" and "&lt;" as they are, for those who read it with curl; the answer is never HTML and says "nosniff".</summary>
    public static ReportJson Readable { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
