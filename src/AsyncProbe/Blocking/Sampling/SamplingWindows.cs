using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Decides when a window is sampled: while an endpoint's blocked time grows and no call site explains it, because its waits are too short
/// for a snapshot. Each window runs on its own thread, one at a time and within a budget.
/// </summary>
internal sealed class SamplingWindows(
    IEnumerable<IStackSource> sources,
    WindowTaker taker,
    UnexplainedTime unexplained,
    WindowBudget budget,
    Snapshots snapshots,
    SnapshotOutcomes outcomes,
    IOptions<AsyncProbeOptions> options,
    Faults faults) : IWatcherListener
{
    // The most CPU time that the runtime's sampler and the readers of its events use, as a share of the window.
    private const double WorkingShare = 0.5;

    private readonly IStackSource? _source = options.Value.Enabled ? sources.LastOrDefault() : null;
    private Watcher? _watcher;

    /// <summary>The number of windows since startup.</summary>
    public int Taken { get; private set; }

    public void Start()
    {
        // The source may be foreign code. With a clock that advances in steps, a thread that worked would look idle, and its stack would be
        // blamed.
        var hasWindows = false;
        faults.Guard(() => hasWindows = _source?.HasWindows == true);
        if (_watcher is null && hasWindows && ThreadClock.HasExactCpu)
        {
            _watcher = Watcher.Subscribe(this);
        }
    }

    public void Stop() => Interlocked.Exchange(ref _watcher, null)?.Unsubscribe(this);

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
    {
        if (unexplained.Update(Timestamp.Now()) && _source is { } source && !snapshots.IsHopeless && !Debugger.IsAttached
            && budget.AllowsOne())
        {
            SnapshotTurn.TryRun(OwnThreadRole.Window, () => Sample(source));
        }
    }

    public void OnFault(Exception exception) => faults.Note(exception);

    private void Sample(IStackSource source)
    {
        var self = ThreadIdentity.OfCurrentThread();
        ThreadReading mine = default;
        var cpu = ProcessClock.Cpu();
        var due = unexplained.Begin(Timestamp.Now());
        IReadOnlyList<WindowHit> hits = [];
        var sampled = Duration.Zero;
        try
        {
            hits = taker.Take(source, due, out sampled);
            Taken++;
        }
        catch (Exception e)
        {
            // The host must survive anything that a stack source throws.
            outcomes.OnFailure(e);
        }

        unexplained.End(due, hits, Timestamp.Now());
        ThreadClock.Read(in self, ref mine, Timestamp.Now());
        self.Release();
        budget.Charge(Duration.Min(ProcessClock.Cpu() - cpu, mine.Cpu + (sampled * WorkingShare)).ToTimeSpan(), sampled.ToTimeSpan());
    }
}
