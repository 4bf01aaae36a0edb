using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Cli.Results;

/// <summary>Makes the server's half of the report: differences between two snapshots, maxima from the server's own history.</summary>
internal static class ServerJoin
{
    public static ServerSide Build(ServerPoller poller, long runBegan)
    {
        var end = poller.End;
        var restarted = poller.Begin.StartedAt != end.StartedAt;
        // After a restart the counts began anew, so everything there is belongs to the run.
        var begin = restarted ? null : poller.Begin;
        var moments = Moments(begin, end);
        var sites = Sites(begin, end);
        return new ServerSide
        {
            Status = ServerStatus.Joined,
            Url = poller.Url.ToString(),
            Runtime = end.Runtime,
            ProcessorCount = end.ProcessorCount,
            PoolThreadsStart = poller.BeforeLoad.Pool.Threads,
            PoolThreadsMax = Max(moments.Select(moment => moment.Threads), end.Pool.Threads, begin?.Pool.Threads),
            QueueDelayMaxMs = Max(moments.Select(moment => moment.QueueDelayMs), end.Pool.QueueDelayMs),
            PendingMax = Max(moments.Select(moment => moment.Pending), end.Pool.Pending),
            BlockedThreadsMax = Max(moments.Select(moment => moment.BlockedThreads)),
            State = end.Pool.State,
            Cause = end.Pool.Cause,
            Polls = poller.Polls,
            PollsWithoutAnswer = poller.WithoutAnswer,
            LongestSilenceMs = Math.Round(poller.LongestSilence.TotalMilliseconds),
            Endpoints = Endpoints(begin, end, sites),
            Sites = sites,
            Seconds = [.. end.History.Select(moment => Second(moment, poller.Begin, runBegan)).OfType<ServerSecond>()],
            Findings = Findings(poller, restarted),
        };
    }

    private static List<PoolMoment> Moments(ServerSnapshot? begin, ServerSnapshot end) =>
        [.. end.History.Where(moment => begin?.ServerTime is null || moment.At is null || moment.At >= begin.ServerTime)];

    private static List<EndpointSide> Endpoints(ServerSnapshot? begin, ServerSnapshot end, List<SiteSide> sites)
    {
        var earlier = (begin?.Endpoints ?? []).GroupBy(row => row.Endpoint).ToDictionary(rows => rows.Key, rows => rows.First());
        var seconds = (end.UptimeMs - (begin?.UptimeMs ?? 0)) / 1000;
        var result = new List<EndpointSide>();
        foreach (var row in end.Endpoints)
        {
            var before = earlier.GetValueOrDefault(row.Endpoint);
            var requests = row.Requests - (before?.Requests ?? 0);
            if (requests <= 0)
            {
                continue;
            }

            var worst = sites.FirstOrDefault(site => site.Endpoints.Contains(row.Endpoint));
            result.Add(new EndpointSide
            {
                Endpoint = row.Endpoint,
                Requests = (long)requests,
                FromCache = (long)(row.FromCache - (before?.FromCache ?? 0)),
                HeldMs = row.HeldMs.Since(before?.HeldMs, requests),
                CpuMs = row.CpuMs.Since(before?.CpuMs, requests),
                BlockedMs = row.BlockedMs.Since(before?.BlockedMs, requests),
                WaitingMs = row.WaitingMs.Since(before?.WaitingMs, requests),
                GcMs = row.GcMs.Since(before?.GcMs, requests),
                ReachedPerSecond = seconds > 0 ? Math.Round(requests / seconds.Value, 2) : null,
                CeilingPerSecond = row.Ceiling,
                WorstSite = worst?.At,
                WorstSiteKind = worst?.Kind,
                Verdict = row.Verdict,
                Advice = row.Advice,
            });
        }

        return [.. result.OrderByDescending(row => row.HeldMs.Total ?? row.Requests)];
    }

    /// <summary>The worst first.</summary>
    private static List<SiteSide> Sites(ServerSnapshot? begin, ServerSnapshot end)
    {
        var earlier = (begin?.Sites ?? []).GroupBy(site => site.Key).ToDictionary(sites => sites.Key, sites => sites.First());
        var result = new List<SiteSide>();
        foreach (var site in end.Sites)
        {
            var before = earlier.GetValueOrDefault(site.Key);
            var count = site.Count - (before?.Count ?? 0);
            if (count > 0)
            {
                result.Add(new(site.Kind, site.Describe(), site.Via, (long)count, site.BlockedMs.Since(before?.BlockedMs, count), site.Endpoints));
            }
        }

        return [.. result.OrderByDescending(site => site.BlockedMs.Total ?? 0)];
    }

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

    private static List<string> Findings(ServerPoller poller, bool restarted)
    {
        var findings = new List<string>();
        if (restarted)
        {
            findings.Add("The server process was restarted during the run: its counts are those since then.");
        }

        if (poller.WithoutAnswer > 0)
        {
            findings.Add(string.Create(CultureInfo.InvariantCulture,
                $"{poller.WithoutAnswer} of {poller.Polls} polls of {poller.Url.AbsolutePath} got no answer in time, and the longest silence was {poller.LongestSilence.TotalSeconds:0.0} s: the server had no free thread to answer with."));
        }

        if (!poller.BeginAnswered)
        {
            findings.Add("The server did not answer at the end of the warm-up, so its counts hold the warm-up too.");
        }

        if (!poller.EndAnswered)
        {
            findings.Add("The server did not answer after the run either; its figures end with its last answer.");
        }

        if (poller.End.SelfTest is { } selfTest && selfTest.StartsWith("failed", StringComparison.Ordinal))
        {
            findings.Add($"The server's detector did not pass its self-test ({selfTest}): call sites may be missing.");
        }

        return findings;
    }

    private static double? Max(IEnumerable<double?> values, params ReadOnlySpan<double?> more)
    {
        double? max = values.Max();
        foreach (var value in more)
        {
            max = max is null || value > max ? value ?? max : max;
        }

        return max;
    }
}
