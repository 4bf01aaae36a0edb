using System.Diagnostics;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Looks where pool threads are that run neither a request nor an operation, while they are most of the busy ones and work items wait. On a
/// thread of its own and in turn with other snapshots.
/// </summary>
internal sealed class UnclaimedSnapshots(
    IEnumerable<IStackSource> sources, Frames frames, UnclaimedSites sites, SnapshotOutcomes outcomes,
    IOptions<AsyncProbeOptions> options, Faults faults) : IWatcherListener
{
    // What the server does between requests is nobody's either, and over in a moment.
    private const int TicksInARow = 3;
    private const int MostSites = 10;

    private static readonly TimeSpan s_pauseAfterNothing = TimeSpan.FromSeconds(2);

    private readonly IStackSource? _source = options.Value.Enabled ? sources.LastOrDefault() : null;
    private readonly Duration _queueing = Duration.From(options.Value.QueueingThreshold);
    private int _ticks;
    private Timestamp _takenAt;
    private volatile bool _hasFound;

    public void OnTick(PoolSample sample, LiveSegments live)
    {
        _ticks = sample.QueueDelay >= _queueing && sample.Unclaimed * 2 > sample.Busy ? _ticks + 1 : 0;
        if (_ticks >= TicksInARow && _source is { NotAvailable: null } source && IsDue(source) && !Debugger.IsAttached)
        {
            TryBegin(source);
        }
    }

    public void OnFault(Exception exception) => faults.Note(exception);

    /// <summary>
    /// Takes one now, whether anything queues or not: requests that began before a tool attached belong to nobody, and may be stuck.
    /// </summary>
    public void Take()
    {
        if (_source is { NotAvailable: null } source)
        {
            TryBegin(source);
        }
    }

    /// <summary>Whether the last one found threads that wait.</summary>
    public bool HasFound => _hasFound;

    private void TryBegin(IStackSource source) =>
        SnapshotTurn.TryRun(OwnThreadRole.Snapshot, () => Run(source), () => Counter.Write(ref _takenAt, Timestamp.Now()));

    private bool IsDue(IStackSource source) =>
        Counter.Read(ref _takenAt) is var at
            && (at == default || at.Elapsed() >= Duration.From(_hasFound ? source.Interval : s_pauseAfterNothing));

    private void Run(IStackSource source)
    {
        var at = DateTime.UtcNow;
        var began = Timestamp.Now();
        try
        {
            var found = Find(source);
            _hasFound = found.Count > 0;
            sites.Set(found);
            outcomes.OnTaken(at, began.Elapsed());
        }
        catch (Exception e)
        {
            // Whatever a stack source throws, the host goes on.
            outcomes.OnFailure(e);
        }
    }

    private List<UnclaimedSite> Find(IStackSource source)
    {
        // One that runs a request or an operation before or after the stack was taken is not meant.
        HashSet<int> claimed = [];
        var stacks = source.Sample(
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

    // An idle thread of the pool waits in its loop, and never got so far.
    private static bool IsAtWork(SampledFrame frame) =>
        frame.Method is { Name: "Dispatch", DeclaringType.FullName: "System.Threading.ThreadPoolWorkQueue" };
}
