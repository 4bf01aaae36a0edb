using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Pool.Sampling;

/// <summary>
/// One thread for the whole process. The hosts share it, and it ends with the last of them. It is never a pool thread, because it must keep
/// running while the pool is starved.
/// </summary>
internal sealed class Watcher
{
    private const int TicksPerSecond = 10;

    // A look costs microseconds per thread. With hundreds of held threads, twice a second is as good as ten times, and the pool is
    // struggling enough.
    private const int ManySegments = 64;
    private const int TicksForMany = 5;

    private static readonly Lock s_lock = new();
    private static Watcher? s_running;

    private readonly object _pause = new();
    private volatile WatcherSubscription[] _subscriptions = [];
    private volatile OwnThread? _thread;
    private LiveSegments _live = LiveSegments.None;
    private ThreadReading _reading;
    private bool _isStopped;
    private Duration _cpu;

    public Duration? Cpu => ThreadClock.HasCpu ? Counter.Read(ref _cpu) : null;

    public bool IsRunning => _thread is { HasEnded: false };

    /// <param name="listener">Who is called.</param>
    /// <param name="faults">Counts what the listener throws.</param>
    public static WatcherSubscription Subscribe(IWatcherListener listener, Faults faults)
    {
        lock (s_lock)
        {
            var watcher = s_running ??= new Watcher();
            var subscription = new WatcherSubscription(watcher, listener, faults);
            watcher._subscriptions = [.. watcher._subscriptions, subscription];
            watcher.StartThread(subscription);
            return subscription;
        }
    }

    /// <summary>Removes a subscription. Removing the last one ends the thread.</summary>
    public void Remove(WatcherSubscription subscription)
    {
        lock (s_lock)
        {
            _subscriptions = [.. _subscriptions.Where(other => other != subscription)];
            if (_subscriptions.Length == 0 && s_running == this)
            {
                s_running = null;
                Stop();
            }
        }
    }

    // The application keeps running without the thread. Each further subscriber tries again.
    private void StartThread(WatcherSubscription subscription)
    {
        if (IsRunning)
        {
            return;
        }

        try
        {
            _thread = OwnThread.StartLasting(OwnThreadRole.Watcher, Run);
        }
        catch (Exception e)
        {
            subscription.Note(e);
        }
    }

    private void Run()
    {
        var self = ThreadIdentity.OfCurrentThread();
        try
        {
            var pool = new PoolSampler(TicksPerSecond);
            for (var tick = 1; Pause(); tick++)
            {
                TryTick(tick, pool, in self);
            }
        }
        finally
        {
            ProcessStops.Resume();
            self.Release();
        }
    }

    private void TryTick(int tick, PoolSampler pool, in ThreadIdentity self)
    {
        try
        {
            Tick(tick, pool, in self);
        }
        catch (Exception e)
        {
            foreach (var subscription in _subscriptions)
            {
                subscription.Note(e);
            }
        }
    }

    private void Tick(int tick, PoolSampler pool, in ThreadIdentity self)
    {
        var sample = pool.Take();
        if (_live.All.Count <= ManySegments || tick % TicksForMany == 0)
        {
            _live = LiveSegments.Look();
        }

        Notify(listener => listener.OnTick(sample, _live));
        if (tick % TicksPerSecond == 0)
        {
            var second = sample with { QueueDelayMax = pool.TakeMaximum() };
            Notify(listener => listener.OnSecond(second, _live, second.Load));
            ThreadSlots.RemoveEnded();
            ThreadClock.Read(in self, ref _reading, Timestamp.Now());
            Counter.Write(ref _cpu, _reading.Cpu);
        }
    }

    /// <summary>Sleeps until the next tick; false if the watcher should end.</summary>
    private bool Pause()
    {
        lock (_pause)
        {
            if (!_isStopped)
            {
                ProcessStops.OnPause(Timestamp.Now(), ProcessClock.GcPause());
                Monitor.Wait(_pause, 1000 / TicksPerSecond);
                ProcessStops.OnTick(Timestamp.Now(), ProcessClock.GcPause());
            }

            return !_isStopped;
        }
    }

    private void Stop()
    {
        lock (_pause)
        {
            _isStopped = true;
            Monitor.Pulse(_pause);
        }
    }

    private void Notify(Action<IWatcherListener> what)
    {
        foreach (var subscription in _subscriptions)
        {
            subscription.Notify(what);
        }
    }
}
