using System.Diagnostics;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Receives the stack of each wanted thread whenever it was outside managed code, between two moments.</summary>
/// <param name="begin">Returns the wanted threads; called when sampling begins.</param>
/// <param name="end">Called when sampling ends.</param>
internal abstract class SampleSink(Func<IReadOnlySet<int>> begin, Action end) : IEventSink
{
    private IReadOnlySet<int> _wanted = new HashSet<int>();
    private long _from = long.MaxValue;
    private long _to = long.MaxValue;

    /// <summary>Whether there are wanted threads.</summary>
    protected bool WantsAny => _wanted.Count > 0;

    /// <summary>Call it when the runtime has begun to sample.</summary>
    public void Begin()
    {
        Volatile.Write(ref _to, long.MaxValue);
        _wanted = begin();
        _from = Stopwatch.GetTimestamp();
    }

    /// <summary>Call it right before sampling is stopped. It may run on another thread.</summary>
    public void End()
    {
        Volatile.Write(ref _to, Stopwatch.GetTimestamp());
        end();
    }

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        // The runtime's events use the stopwatch's clock.
        if (kind == EventKind.ThreadSample && time >= _from && time <= Volatile.Read(ref _to) && _wanted.Contains((int)threadId)
            && !stack.IsEmpty
            && ThreadSampleEvent.IsOutsideManagedCode(payload))
        {
            Take((int)threadId, time, stack);
        }
    }

    protected abstract void Take(int threadId, long time, ReadOnlySpan<byte> stack);
}
