using System.Diagnostics;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Observation;

/// <summary>Observes replicas for a time: begin, look as often as you like, end.</summary>
internal sealed class FleetObserver : IDisposable
{
    private readonly IReadOnlyList<ObservedReplica> _replicas;
    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow;
    private readonly long _began = Stopwatch.GetTimestamp();

    private FleetObserver(IReadOnlyList<ObservedReplica> replicas)
    {
        _replicas = replicas;
        foreach (var replica in replicas)
        {
            replica.BeginAt(_began);
        }
    }

    /// <summary>Asks all replicas at once and leaves out any that don't answer.</summary>
    public static async Task<FleetObserver> BeginAsync(IEnumerable<Task<ObservedReplica>> replicas) => new(await Task.WhenAll(replicas));

    /// <param name="attached">The process.</param>
    /// <param name="isStarted">Whether this tool started it.</param>
    public static Task<FleetObserver> BeginAsync(
        AttachedProcess attached, CancellationToken cancellationToken, bool isStarted = false) =>
        BeginAsync([ObservedReplica.FindAsync(attached, isStarted, cancellationToken)]);

    /// <summary>The figures so far.</summary>
    public ObservationResult Look(bool interrupted = false)
    {
        var sides = _replicas.Select(replica => replica.Describe(_began)).ToList();
        return new()
        {
            StartedAt = _startedAt,
            Seconds = Math.Round(Stopwatch.GetElapsedTime(_began).TotalSeconds, 1),
            Interrupted = interrupted,
            Replicas = sides,
            Endpoints = FleetMerge.Endpoints(sides),
            Sites = FleetMerge.Sites(sides),
            Findings = FleetFindings.From(sides),
        };
    }

    public async Task<ObservationResult> EndAsync(IReadOnlyList<Threshold> thresholds, Baseline? baseline, bool interrupted)
    {
        await Task.WhenAll(_replicas.Select(replica => replica.EndAsync()));
        return Judge(Apply(baseline, Look(interrupted)), thresholds);
    }

    private static ObservationResult Apply(Baseline? baseline, ObservationResult result) => baseline is null ? result : result with
    {
        Replicas = [.. result.Replicas.Select(replica => replica.IsObserved ? Apply(baseline, replica) : replica)],
        // Report a new site once, however many replicas have it.
        Findings =
        [
            .. result.Findings,
            .. Baseline.Describe(baseline.FindNew(result.Replicas.SelectMany(replica => replica.Server.KnownSites))),
        ],
    };

    private static ReplicaSide Apply(Baseline baseline, ReplicaSide replica) =>
        replica with { Server = replica.Server with { NewSites = baseline.FindNew(replica.Server.KnownSites) } };

    private static ObservationResult Judge(ObservationResult result, IReadOnlyList<Threshold> thresholds)
    {
        List<ServerSide> observed = [.. result.Replicas.Where(replica => replica.IsObserved).Select(replica => replica.Server)];
        var note = observed.Count < result.Replicas.Count ? $"of {observed.Count} of {result.Replicas.Count} replicas" : null;
        return result with { Thresholds = [.. thresholds.Select(threshold => ThresholdJudge.Judge(observed, threshold, note))] };
    }

    public void Dispose()
    {
        foreach (var replica in _replicas)
        {
            replica.Dispose();
        }
    }
}
