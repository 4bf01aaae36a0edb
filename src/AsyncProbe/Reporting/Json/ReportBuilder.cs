using System.Runtime.InteropServices;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Json;

/// <summary>Builds the report from the current state of the other parts.</summary>
internal sealed class ReportBuilder(
    EndpointTable endpoints,
    PoolMonitor pool,
    ServerOverhead serverOverhead,
    PoolIntervals intervals,
    BlockingSites sites,
    IWaitFinder waits,
    UnclaimedSites unclaimed,
    AllowRules allowRules,
    Arming arming,
    HookStatus hook,
    Snapshots snapshots,
    SnapshotOutcomes outcomes,
    LifelineAddress lifeline,
    SamplingWindows windows,
    ProvidersInCode code,
    Faults faults,
    IOptions<AsyncProbeOptions> options)
{
    private const double NearlyAll = 0.98;

    /// <param name="filter">Only includes endpoints whose name contains this text; null for all.</param>
    /// <param name="historySeconds">How many seconds of history to include.</param>
    public Report Build(string? filter, int historySeconds = int.MaxValue)
    {
        ThreadPool.GetMinThreads(out var minimum, out _);
        ThreadPool.GetMaxThreads(out var maximum, out _);
        var (seen, figures, operations) = (sites.Read(), endpoints.Read(intervals.Current), endpoints.ReadOperations(intervals.Current));
        var siteReport = new SiteReporter(
            seen, options.Value.IncludeStacks == true,
            figures.Concat(operations).Where(IsWatched).Select(e => e.Totals.Endpoint).ToHashSet());
        var endpointReport = new EndpointReporter(
            most => Ceiling.ThreadsInForce(minimum, maximum, most), serverOverhead.PerRequest ?? Duration.Zero, EndpointSites.From(seen),
            hook.IsLooking, snapshots.HasSource, code);
        Func<string, bool>? isShown = filter is null ? null : endpoint => endpoint.Contains(filter, StringComparison.OrdinalIgnoreCase);

        return new Report(
            Schema: 1,
            Process(),
            PoolReporter.Describe(pool, unclaimed, historySeconds),
            Rows(figures),
            Rows(operations),
            siteReport.Describe(isShown),
            HeldNow.Describe(pool.Live.Long, waits),
            Probe());

        IEnumerable<EndpointReport> Rows(List<EndpointFigures> all) => all
            .Where(e => isShown is null || isShown(e.Totals.Endpoint))
            .OrderByDescending(e => e.Sum.Blocked)
            .ThenByDescending(e => e.Sum.Held)
            .Select(endpointReport.Describe);
    }

    // Not quite all: an endpoint's first blocked request may run before it's watched, and a few nanoseconds fall between the clocks.
    private static bool IsWatched(EndpointFigures endpoint) =>
        endpoint.Totals.Waits is { } waits && waits.Watched >= endpoint.Sum.Blocked * NearlyAll;

    private ProcessReport Process()
    {
        var startedAt = ProcessIdentity.StartedAt;
        return new ProcessReport(
            Environment.MachineName,
            ProcessIdentity.Name,
            ProcessIdentity.Version,
            Environment.ProcessId,
            Environment.ProcessorCount,
            RuntimeInformation.FrameworkDescription,
            RuntimeInformation.OSDescription,
            Cores.Limit,
            startedAt,
            startedAt is { } start ? Math.Round((DateTime.UtcNow - start).TotalMilliseconds, 3) : null,
            ProcessClock.Cpu().ToMilliseconds(),
            ProcessClock.GcPause().ToMilliseconds(),
            serverOverhead.PerRequest?.ToMilliseconds(),
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false));
    }

    private ProbeReport Probe() =>
        new(
            ProcessIdentity.OwnVersion,
            hook.DetectionName,
            hook.SelfTestResult,
            arming.ArmedEndpoints,
            pool.WatcherCpu?.ToMilliseconds(),
            new DroppedReport(endpoints.Overflowed, endpoints.OverflowedOperations, sites.Overflowed),
            faults.Count,
            NotAvailable(),
            allowRules.Stale,
            snapshots.HasSource ? SnapshotsSoFar() : null,
            lifeline.Url);

    private IReadOnlyList<string> NotAvailable()
    {
        string?[] more = [hook.LacksCallSites ? CallStacks.Gap : null, snapshots.NotAvailable];
        return [.. ThreadClock.NotAvailable, .. more.OfType<string>(), .. OwnThread.WhatIsOff()];
    }

    private SnapshotsReport SnapshotsSoFar()
    {
        var last = outcomes.Last;
        return new SnapshotsReport(
            outcomes.Taken, outcomes.Failed, last?.At, last?.Took.ToMilliseconds(), windows.Taken, windows.ArePaused);
    }
}
