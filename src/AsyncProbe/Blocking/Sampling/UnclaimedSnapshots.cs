using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Finds the places of pool threads that run neither a request nor an operation, while they are most of the busy threads and work items
/// wait.
/// </summary>
internal sealed class UnclaimedSnapshots(
    GuardedSource source, StackSampler sampler, Frames frames, UnclaimedSites sites, SnapshotOutcomes outcomes,
    IOptions<AsyncProbeOptions> options) : IWatcherListener
{
    // The server's own work between requests is unclaimed too, but is over in a moment.
    private const int TicksInARow = 3;
    private const int MostSites = 10;

    private static Duration PauseAfterNothing => Duration.FromMilliseconds(2_000);

    private readonly Duration _queueing = Duration.From(options.Value.QueueingThreshold);
    private int _ticks;
    private Timestamp _takenAt;
    private volatile bool _hasFound;

    public void OnTick(PoolSample sample, LiveSegments live)
    {
        _ticks = sample.QueueDelay >= _queueing && sample.Unclaimed * 2 > sample.Busy ? _ticks + 1 : 0;
        if (_ticks >= TicksInARow && IsDue && sampler.IsAllowed)
        {
            Take();
        }
    }

    /// <summary>
    /// Takes a snapshot now, even if nothing queues. Requests that began before a tool attached are unclaimed, and may be stuck.
    /// </summary>
    public void Take() => sampler.TryRun(OwnThreadRole.Snapshot, Run);

    /// <summary>Whether the last snapshot found threads that wait.</summary>
    public bool HasFound => _hasFound;

    private bool IsDue =>
        Counter.Read(ref _takenAt) is var at && (at == default || at.Elapsed() >= (_hasFound ? source.Interval : PauseAfterNothing));

    private void Run(IStackSource stacks)
    {
        var at = DateTime.UtcNow;
        var began = Timestamp.Now();
        try
        {
            var found = Find(stacks);
            _hasFound = found.Count > 0;
            sites.Set(found);
            outcomes.OnTaken(at, began.Elapsed());
        }
        finally
        {
            Counter.Write(ref _takenAt, Timestamp.Now());
        }
    }

    private List<UnclaimedSite> Find(IStackSource from)
    {
        // Skip threads that run a request or an operation before or after the stacks are taken.
        HashSet<int> claimed = [];
        var stacks = from.Sample(
            () =>
            {
                ThreadSlots.CountClaimed(claimed);
                return (PoolWorkers.FindIds() ?? []).Where(id => !claimed.Contains(id)).ToHashSet();
            },
            () => ThreadSlots.CountClaimed(claimed));
        return [.. stacks
            .Where(stack => !claimed.Contains(stack.OsThreadId) && stack.Frames.Any(IsAtWork))
            .Select(stack => BlameFrame.Find(stack, frames, handler: null))
            .OfType<BlameFrame>()
            .GroupBy(blame => (blame.Kind, blame.At, blame.IlOffset))
            .Select(group => new UnclaimedSite(group.First().ToSiteFrame(frames), group.Key.Kind, group.Count()))
            .OrderByDescending(site => site.Threads)
            .Take(MostSites)];
    }

    // An idle pool thread waits in the worker loop and never gets as far as Dispatch.
    private static bool IsAtWork(SampledFrame frame) =>
        frame.Method is { Name: "Dispatch", DeclaringType.FullName: "System.Threading.ThreadPoolWorkQueue" };
}
