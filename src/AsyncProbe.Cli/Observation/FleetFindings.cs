using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Observation;

/// <summary>Sentences about individual replicas, the worst first.</summary>
internal static class FleetFindings
{
    /// <summary>By default, a server reports that its pool queues from this delay on.</summary>
    private const double LeastQueueDelayMs = 50;

    private const double ManyRequests = 20;

    public static IReadOnlyList<string> From(IReadOnlyList<ReplicaSide> replicas)
    {
        var observed = replicas.Where(replica => replica.IsObserved).ToList();
        return
        [
            .. observed.Where(replica => replica.Server.WorstState == "starved").Select(Starved),
            .. QueueDelay(observed), .. WithoutRequests(observed),
            .. observed.SelectMany(replica => replica.Server.Findings.Select(finding => $"{replica.Name}: {finding}")),
        ];
    }

    private static string Starved(ReplicaSide replica)
    {
        var cause = replica.Server.WorstCause is null or "none" ? "" : $" ({replica.Server.WorstCause})";
        var end = replica.Server.State is null or "starved" ? "" : $", {replica.Server.State} at the end";
        return $"{replica.Name} was starved{cause}: max queue delay {FigureText.Ms(replica.Server.QueueDelayMaxMs)} ms{end}.";
    }

    private static IEnumerable<string> QueueDelay(List<ReplicaSide> observed)
    {
        var delays = observed.Where(replica => replica.Server.QueueDelayMaxMs is not null)
            .Select(replica => (replica.Name, replica.Server.QueueDelayMaxMs!.Value));
        if (OddReplica.Find(delays, LeastQueueDelayMs) is { } odd)
        {
            yield return $"{odd.Replica} is the odd one out: max queue delay {FigureText.Ms(odd.Value)} ms, the "
                + $"others {FigureText.Ms(odd.Others)} ms.";
        }
    }

    private static IEnumerable<string> WithoutRequests(List<ReplicaSide> observed)
    {
        foreach (var replica in observed.Where(replica => replica.Requests == 0))
        {
            var others = Median.Calculate(observed.Where(other => other != replica).Select(other => (double?)other.Requests));
            if (others >= ManyRequests)
            {
                yield return $"{replica.Name} got no request; the others got {FigureText.Number((long)others)} each.";
            }
        }
    }
}
