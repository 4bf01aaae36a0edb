using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Runs;

/// <summary>Turns what a run left behind into the final figures that everything else reads.</summary>
internal static class ResultBuilder
{
    public static RunResult Build(LoadFacts facts, ServerSide server)
    {
        var shorter = facts.IsShorterThanRequests;
        var tallies = shorter ? facts.Tallies.WithCarriedOver() : facts.Tallies.Counted;
        var all = new Tally();
        Array.ForEach(tallies, all.Add);
        var total = CreateFigures(all, facts, shorter);
        var result = new RunResult
        {
            Session = facts.Prepared.Name,
            StartedAt = facts.StartedAt,
            Interrupted = facts.Interrupted,
            Load = Shape(facts, all, shorter),
            Total = total,
            Requests = [.. facts.Prepared.Requests.Zip(
                tallies, (request, tally) => CreateRequest(request, CreateFigures(tally, facts, shorter)))],
            Seconds = facts.Seconds,
            Distribution = DistributionBar.From(all.Succeeded),
            Client = ClientLimits.Judge(Little(facts, all, total), total.TimeMs?.P50Ms ?? total.FailedTimeMs?.P50Ms ?? 0),
            Server = server,
            Unanswered = facts.Unanswered.Count,
            UnansweredOldestMs = Math.Round(facts.Unanswered.Oldest.TotalMilliseconds),
            Differences = WebSurgeDifferences.Find(facts.Prepared),
        };
        return result with { Warnings = RunWarnings.Find(result) };
    }

    private static RequestFigures CreateRequest(PreparedRequest request, Figures figures) =>
        new(request.Title, request.Method.Method, SafeText.From(request.Url.OriginalString), figures);

    private static Figures CreateFigures(Tally tally, LoadFacts facts, bool shorter) => new()
    {
        Requests = tally.Requests,
        Failed = tally.FailedTimes.Count,
        RequestsPerSecond = Math.Round(
            shorter ? tally.Requests / (facts.Warmup + facts.Answered).TotalSeconds : tally.EndedInTime / facts.Measured.TotalSeconds, 3),
        TimeMs = LatencyStatistics.From(tally.Succeeded),
        FailedTimeMs = LatencyStatistics.From(tally.FailedTimes),
        FromSendMs = facts.Settings.IsOpen ? LatencyStatistics.From(tally.FromSend) : null,
        LateStarts = tally.Late,
        BytesReceived = tally.BytesReceived,
        BytesSent = tally.BytesSent,
        StatusCodes = tally.Statuses.OrderBy(pair => pair.Key)
            .ToDictionary(
                pair => pair.Key == 0 ? "none" : pair.Key.ToString(System.Globalization.CultureInfo.InvariantCulture), pair => pair.Value),
        FailureReasons = tally.Reasons.OrderByDescending(pair => pair.Value).ToDictionary(),
    };

    private static LoadShape Shape(LoadFacts facts, Tally all, bool shorter)
    {
        var settings = facts.Settings;
        return new()
        {
            Model = settings.Once ? LoadShape.OncePass : settings.IsOpen ? LoadShape.Open : LoadShape.Closed,
            Threads = facts.Connections,
            SharedConnections = facts.Settings.Connections,
            PlannedPerSecond = settings.IsOpen ? settings.Rate : null,
            SettledPerSecond = settings.IsOpen && !facts.Interrupted
                ? Math.Round(all.EndedSettled / facts.SettledTime.TotalSeconds, 3)
                : null,
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

    private static ClientFigures Little(LoadFacts facts, Tally all, Figures total)
    {
        var settings = facts.Settings;
        var time = settings.IsOpen ? all.FromSend : all.Succeeded;
        var sum = (time.Mean * time.Count) + (all.FailedTimes.Mean * all.FailedTimes.Count);
        var mean = total.Requests == 0 ? 0 : sum / total.Requests / 1e6;
        // The closed model keeps every thread busy except for the configured delay. With too few passes, Little's law says nothing.
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
