using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Decides when a window is sampled: while an endpoint's blocked time grows and no call site explains it, because its waits are too short
/// for a snapshot. Windows have a budget.
/// </summary>
internal sealed class SamplingWindows(
    GuardedSource source,
    StackSampler sampler,
    WindowTaker taker,
    UnexplainedTime unexplained,
    WindowBudget budget,
    Faults faults) : IWatcherListener
{
    // The most CPU time that the runtime's sampler and the readers of its events use, as a share of the window.
    private const double WorkingShare = 0.5;

    private WatcherSubscription? _subscription;

    /// <summary>The number of windows since startup.</summary>
    public int Taken { get; private set; }

    /// <summary>Whether the next window has to wait until the budget allows it.</summary>
    public bool ArePaused => _subscription is not null && !budget.AllowsOne();

    public void Start()
    {
        // With a clock that advances in steps, a thread that worked would look idle, and its stack would be blamed.
        if (_subscription is null && ThreadClock.HasExactCpu && source.HasWindows)
        {
            _subscription = Watcher.Subscribe(this, faults);
        }
    }

    public void Stop() => Interlocked.Exchange(ref _subscription, null)?.Dispose();

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
    {
        // A running job counts the waits that it saw at its end. Sharing out their time before that would count them twice.
        if (!StackSampler.IsBusy && unexplained.Update(Timestamp.Now()) && sampler.IsAllowed && budget.AllowsOne())
        {
            sampler.TryRun(OwnThreadRole.Window, Sample);
        }
    }

    private void Sample(IStackSource stacks)
    {
        var self = ThreadIdentity.OfCurrentThread();
        ThreadReading mine = default;
        var cpu = ProcessClock.Cpu();
        var due = unexplained.Begin(Timestamp.Now());
        IReadOnlyList<WindowHit> hits = [];
        var sampled = Duration.Zero;
        try
        {
            hits = taker.Take(stacks, due, out sampled);
            Taken++;
        }
        finally
        {
            unexplained.End(due, hits, Timestamp.Now());
            ThreadClock.Read(in self, ref mine, Timestamp.Now());
            self.Release();
            budget.Charge(Duration.Min(ProcessClock.Cpu() - cpu, mine.Cpu + (sampled * WorkingShare)).ToTimeSpan(), sampled.ToTimeSpan());
        }
    }
}
