using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Reporting.Json;

/// <summary>Makes the report's section about the pool. Without a watcher, its figures and its state are null.</summary>
internal static class PoolReporter
{
    public static PoolReport Describe(PoolMonitor pool, UnclaimedSites unclaimed, int historySeconds)
    {
        ThreadPool.GetAvailableThreads(out _, out var io);
        ThreadPool.GetMinThreads(out var minWorkers, out var minIo);
        ThreadPool.GetMaxThreads(out var maxWorkers, out var maxIo);
        var verdict = pool.IsWatching ? pool.Verdict : null;

        // Take figures and advice from the same moment, or they would contradict each other.
        var latest = verdict is null ? null : PoolSentences.SampleOf(verdict, pool.Latest);
        return new PoolReport(
            new WorkersReport(maxWorkers - latest?.Busy, latest?.Busy, minWorkers, maxWorkers),
            new IoReport(io, minIo, maxIo, Constant: true),
            latest?.Threads,
            latest?.Pending,
            latest?.Completed,
            latest?.QueueDelay.ToMilliseconds(),
            verdict is null ? null : pool.QueueDelayMax.ToMilliseconds(),
            new UnclaimedReport(
                latest?.Unclaimed,
                [.. unclaimed.Read().Select(
                    s => new UnclaimedSiteReport(s.Kind.Name(), s.At.Frame.ShortName, s.At.Line?.File, s.At.Line?.Line, s.Threads))]),
            verdict is null ? null : PoolSentences.Name(verdict.Condition),
            verdict is null ? null : PoolSentences.Name(verdict.Cause),
            verdict?.Since,
            verdict?.Diagnosis is null ? null : $"{PoolSentences.Explain(verdict)} {PoolSentences.Advise(verdict)}",
            verdict?.Diagnosis?.DoNow is { } setting
                ? new DoNowReport(setting.Threads, setting.Environment, setting.Code, setting.Why)
                : null,
            [.. pool.History.Read(historySeconds).Select(second => new PoolSecondReport(second))]);
    }
}
