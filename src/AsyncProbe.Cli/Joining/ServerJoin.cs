using System.Diagnostics;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Joining;

/// <summary>
/// Builds the server's half of the report: the differences between two snapshots, the maxima from the server's own history, and the
/// conclusions from both. Only the CPU time that a request costs outside the middleware may be from before the run.
/// </summary>
internal static class ServerJoin
{
    public static ServerSide Build(ReportPoller poller, long runBegan)
    {
        var end = poller.End;
        var counts = poller.IsServerStarted ? CountsBegan.WithServer : BeganWhen(poller.Begin, end);
        // Counts that restarted during the run belong to the run as they are.
        var begin = counts == CountsBegan.Earlier ? poller.Begin : null;

        // The history outlives a reset of the counts. A server that this tool started has no history from before the run.
        var moments = end.HistorySince(counts == CountsBegan.WithServer ? null : poller.Begin).ToList();
        var threadsMax = Max(moments.Select(moment => moment.Threads), end.Pool.Threads, begin?.Pool.Threads);

        // What waits for a thread while a server starts says nothing about the run.
        var limits = CeilingLimits.From(poller.Begin, end, threadsMax);
        var (endpoints, sites) = EndpointJoin.Build(begin, end, limits);
        return new ServerSide
        {
            Status = ServerStatus.Joined,
            Url = poller.Url.ToString(),
            Runtime = end.Runtime,
            ProcessorCount = end.ProcessorCount,
            PoolThreadsStart = counts == CountsBegan.Restarted ? null : poller.BeforeLoad.Pool.Threads,
            PoolThreadsMax = threadsMax,
            QueueDelayMaxMs = Max(moments.Select(moment => moment.QueueDelayMs), end.Pool.QueueDelayMs),
            PendingMax = Max(moments.Select(moment => moment.Pending), end.Pool.Pending),
            BlockedThreadsMax = Max(moments.Select(moment => moment.BlockedThreads)),
            WorstState = poller.Worst.State,
            WorstCause = poller.Worst.Cause,
            State = end.Pool.State,
            Cause = end.Pool.Cause,
            EndAnswered = poller.EndAnswered,
            LastAnswerAt = Math.Round(Stopwatch.GetElapsedTime(runBegan, end.ReceivedAt).TotalSeconds, 2),
            Polls = poller.Polls.All,
            PollsWithoutAnswer = poller.Polls.WithoutAnswer,
            PollsRefused = poller.Polls.Get(ServerStatus.Unreachable),
            PollsReset = poller.Polls.Get(ServerStatus.Reset),
            PollsTimedOut = poller.Polls.Get(ServerStatus.NoAnswer),
            LongestSilenceMs = Math.Round(poller.LongestSilence.TotalMilliseconds),
            CountsHoldWarmup = poller.BeginOffset <= -ReportPoller.Late,
            CountsBegan = counts,
            CountsBeginAfterMs = counts == CountsBegan.Earlier ? Math.Round(Math.Max(0, poller.BeginOffset.TotalMilliseconds)) : 0,
            Endpoints = endpoints,
            Sites = sites,
            KnownSites = KnownSites.Find(begin, end),
            Seconds = [.. end.History.Select(moment => Second(moment, end, runBegan)).OfType<ServerSecond>()],
            Findings = ServerFindings.From(poller, counts),
        };
    }

    private static CountsBegan BeganWhen(ServerSnapshot begin, ServerSnapshot end)
    {
        if (begin.StartedAt != end.StartedAt)
        {
            return CountsBegan.Restarted;
        }

        var rows = end.Endpoints.GroupBy(row => row.Endpoint).ToDictionary(rows => rows.Key, rows => rows.Max(row => row.Requests));
        return begin.Endpoints.Any(row => row.Requests > rows.GetValueOrDefault(row.Endpoint)) ? CountsBegan.Reset : CountsBegan.Earlier;
    }

    /// <summary>A snapshot relates the two clocks: the server's when it answered, ours when the answer arrived.</summary>
    private static ServerSecond? Second(PoolMoment moment, ServerSnapshot anchor, long runBegan)
    {
        if (moment.At is not { } at || anchor.ServerTime is not { } anchored)
        {
            return null;
        }

        var second = Stopwatch.GetElapsedTime(runBegan, anchor.ReceivedAt).TotalSeconds + (at - anchored).TotalSeconds;
        return second < 0
            ? null
            : new(Math.Round(second, 2), moment.Threads, moment.QueueDelayMs, moment.BlockedThreads, moment.Pending, moment.CpuPercent);
    }

    private static double? Max(IEnumerable<double?> values, params ReadOnlySpan<double?> more)
    {
        var max = values.Max();
        foreach (var value in more)
        {
            max = max is null || value > max ? value ?? max : max;
        }

        return max;
    }
}
