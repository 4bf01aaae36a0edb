using System.Runtime.InteropServices;
using AsyncProbe.Blocking;
using AsyncProbe.Pool;
using AsyncProbe.Requests;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting;

/// <summary>Puts the report together from snapshots of the other rooms.</summary>
internal sealed class ReportBuilder(
    EndpointTable endpoints,
    PoolMonitor pool,
    ServerShare serverShare,
    BlockingSites sites,
    IWaitFinder waits,
    AllowRules allowRules,
    Arming arming,
    BlockingMonitor blocking,
    Snapshots snapshots,
    Faults faults,
    IOptions<AsyncProbeOptions> options)
{
    private static readonly DateTime s_startedAt = StartOfProcess();

    /// <param name="filter">Only endpoints whose name holds this text; null for all.</param>
    /// <param name="historySeconds">How much of the history.</param>
    public Report Build(string? filter, int historySeconds = int.MaxValue)
    {
        ThreadPool.GetMinThreads(out var minimum, out _);
        ThreadPool.GetMaxThreads(out var maximum, out _);
        var threads = Ceiling.ThreadsInForce(minimum, maximum, ThreadPool.ThreadCount);
        var siteReport = new SiteReporter(sites.Read(), options.Value.IncludeStacks == true);
        var endpointReport = new EndpointReporter(threads, serverShare.PerRequest ?? 0, siteReport);
        Func<string, bool>? isShown = filter is null ? null : endpoint => endpoint.Contains(filter, StringComparison.OrdinalIgnoreCase);

        return new Report(
            Schema: 1,
            Process(),
            PoolReporter.Describe(pool, historySeconds),
            endpoints.Read()
                .Where(e => isShown is null || isShown(e.Totals.Endpoint))
                .OrderByDescending(e => e.Sum.Blocked)
                .ThenByDescending(e => e.Sum.Held)
                .Select(endpointReport.Describe),
            siteReport.Describe(isShown),
            [.. pool.Live.Long.Select(Now)],
            Probe());
    }

    private static DateTime StartOfProcess()
    {
        using var process = System.Diagnostics.Process.GetCurrentProcess();
        return process.StartTime.ToUniversalTime();
    }

    private static ProcessReport Process()
    {
        var startedAt = s_startedAt;
        return new ProcessReport(
            Environment.ProcessorCount,
            RuntimeInformation.FrameworkDescription,
            RuntimeInformation.OSDescription,
            Cores.Limit,
            startedAt,
            Math.Round((DateTime.UtcNow - startedAt).TotalMilliseconds, 3),
            Nanoseconds.ToMilliseconds(ProcessClock.CpuNs()),
            Nanoseconds.ToMilliseconds(ProcessClock.GcPauseNs()),
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false));
    }

    private NowReport Now(LiveSegment segment)
    {
        var wait = waits.Of(segment);
        return new NowReport(
            segment.Probe.Totals?.Endpoint ?? EndpointName.Unmatched,
            Nanoseconds.ToMilliseconds(segment.Held),
            segment.Cpu is { } cpu ? Nanoseconds.ToMilliseconds(cpu) : null,
            wait.At,
            wait.Seen != WaitsSeen.NotLooked);
    }

    private ProbeReport Probe() =>
        new(
            options.Value.Detection switch
            {
                BlockingDetection.Always => "always",
                BlockingDetection.WhenBlocking => "whenBlocking",
                _ => "off",
            },
            blocking.SelfTestResult,
            arming.ArmedEndpoints,
            pool.WatcherCpuNs is { } cpu ? Nanoseconds.ToMilliseconds(cpu) : null,
            new DroppedReport(endpoints.Overflowed, sites.Overflowed),
            faults.Count,
            snapshots.NotAvailable is { } reason ? [.. ThreadClock.NotAvailable, reason] : ThreadClock.NotAvailable,
            allowRules.Stale,
            snapshots.HasSource ? Describe(snapshots) : null);

    private static SnapshotsReport Describe(Snapshots snapshots)
    {
        var last = snapshots.Last;
        return new SnapshotsReport(snapshots.Taken, snapshots.Failed, last?.At, last is null ? null : Math.Round(last.Took.TotalMilliseconds, 3));
    }
}
