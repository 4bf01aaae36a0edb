using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Results;

/// <summary>Freezes what a run left behind into the figures that everything else reads.</summary>
internal static class ResultBuilder
{
    public static RunResult Build(RunFacts facts)
    {
        var shorter = IsShorterThanRequests(facts);
        var server = ServerShare.Reach(facts, shorter);
        var tallies = shorter ? facts.Tallies.WithCarriedOver() : facts.Tallies.Counted;
        var all = new Tally();
        Array.ForEach(tallies, all.Add);
        var total = FiguresOf(all, facts, shorter);
        var result = new RunResult
        {
            Session = facts.Session.Name,
            StartedAt = facts.StartedAt,
            Interrupted = facts.Interrupted,
            Load = Shape(facts, shorter),
            Total = total,
            Requests = [.. facts.Requests.Zip(tallies, (request, tally) => Of(request, FiguresOf(tally, facts, shorter)))],
            Seconds = facts.Seconds,
            Distribution = DistributionBar.From(all.Succeeded),
            Client = ClientLimits.Judge(Little(facts, all, total), total.TimeMs?.P50Ms ?? total.FailedTimeMs?.P50Ms ?? 0),
            Server = server,
            Unanswered = facts.Unanswered.Count,
            UnansweredOldestMs = Math.Round(facts.Unanswered.Oldest.TotalMilliseconds),
            Differences = Differences.Of(facts.Session, facts.Settings),
        };
        return result with { Warnings = RunWarnings.Of(result) };
    }

    private static RequestFigures Of(PreparedRequest request, Figures figures) =>
        new(request.Title, request.Method.Method, SafeText.From(request.Url.OriginalString), figures);

    /// <summary>Less than one answer a thread: the measured time says nothing about what the server can do.</summary>
    private static bool IsShorterThanRequests(RunFacts facts) =>
        facts.Settings is { IsOpen: false, Once: false, Requests: null } && !facts.Interrupted
        && facts.Tallies.Counted.Sum(tally => tally.EndedInTime) < facts.Settings.Threads;

    private static Figures FiguresOf(Tally tally, RunFacts facts, bool shorter) => new()
    {
        Requests = tally.Requests,
        Failed = tally.FailedTimes.Count,
        RequestsPerSecond = Math.Round(shorter ? tally.Requests / (facts.Warmup + facts.Answered).TotalSeconds : tally.EndedInTime / facts.Measured.TotalSeconds, 3),
        TimeMs = TimeFigures.From(tally.Succeeded),
        FailedTimeMs = TimeFigures.From(tally.FailedTimes),
        FromSendMs = facts.Settings.IsOpen ? TimeFigures.From(tally.FromSend) : null,
        LateStarts = tally.Late,
        BytesReceived = tally.BytesReceived,
        BytesSent = tally.BytesSent,
        StatusCodes = tally.Statuses.OrderBy(pair => pair.Key)
            .ToDictionary(pair => pair.Key == 0 ? "none" : pair.Key.ToString(System.Globalization.CultureInfo.InvariantCulture), pair => pair.Value),
        FailureReasons = tally.Reasons.OrderByDescending(pair => pair.Value).ToDictionary(),
    };

    private static LoadShape Shape(RunFacts facts, bool shorter)
    {
        var settings = facts.Settings;
        return new()
        {
            Model = settings.Once ? LoadShape.OncePass : settings.IsOpen ? LoadShape.Open : LoadShape.Closed,
            Threads = facts.Connections,
            PlannedPerSecond = settings.IsOpen ? settings.Rate : null,
            WarmupSeconds = facts.Warmup.TotalSeconds,
            MeasuredSeconds = Math.Round(facts.Measured.TotalSeconds, 3),
            WaitedSeconds = Math.Round(Math.Max(0, (facts.Answered - facts.Measured).TotalSeconds), 3),
            ShorterThanRequests = shorter,
            DelayMs = settings.Delay.TotalMilliseconds,
            Randomized = settings.Randomize,
            TimeoutMs = settings.Timeout.TotalMilliseconds,
            TimeMeans = settings.IsOpen ? "time from the planned start" : "time from send",
        };
    }

    private static ClientFigures Little(RunFacts facts, Tally all, Figures total)
    {
        var settings = facts.Settings;
        var time = settings.IsOpen ? all.FromSend : all.Succeeded;
        var sum = (time.Mean * time.Count) + (all.FailedTimes.Mean * all.FailedTimes.Count);
        var mean = total.Requests == 0 ? 0 : sum / total.Requests / 1e6;
        // The closed model keeps every thread busy but for the delay it was told; without enough passes the law says nothing.
        var passes = total.Requests / (double)Math.Max(1, settings.Threads);
        double? wanted = settings.IsOpen || settings.Once || facts.Interrupted || total.Failed > 0 || passes < 10
            ? null
            : settings.Threads * mean / (mean + Math.Max(0, settings.Delay.TotalMilliseconds));
        return facts.Client with
        {
            InFlightByLittle = Math.Round(total.RequestsPerSecond * mean / 1000, 2),
            InFlightWanted = wanted,
            SendLagP99Ms = settings.IsOpen && all.SendLag.Count > 0 ? Math.Round(all.SendLag.Percentile(99) / 1e6, 3) : null,
        };
    }
}
