using System.Diagnostics;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Records when each wanted thread was outside managed code, and its stack.</summary>
/// <param name="begin">Returns the wanted threads; called when sampling begins.</param>
internal sealed class WindowStacks(Func<IReadOnlySet<int>> begin) : IEventSink
{
    // Enough for hundreds of threads during a third of a second. A waiting thread has the same stack in many samples, so more samples would
    // add nothing.
    private const int MostSamples = 100_000;

    private readonly List<(int Thread, long Time, ulong[] Stack)> _samples = [];
    private readonly DistinctStacks _stacks = new(most: 2_000);
    private IReadOnlySet<int> _wanted = new HashSet<int>();
    private long _from = long.MaxValue;
    private long _to = long.MaxValue;

    /// <summary>Call it when the runtime has begun to sample.</summary>
    public void Begin()
    {
        _wanted = begin();
        _from = Stopwatch.GetTimestamp();
    }

    /// <summary>Call it right before sampling is stopped. It may run on another thread.</summary>
    public void End() => Volatile.Write(ref _to, Stopwatch.GetTimestamp());

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        // The runtime's events use the stopwatch's clock.
        if (kind == EventKind.ThreadSample && time >= _from && time <= Volatile.Read(ref _to) && _wanted.Contains((int)threadId)
            && !stack.IsEmpty
            && ThreadSampleEvent.IsOutsideManagedCode(payload) && _samples.Count < MostSamples
            && _stacks.Keep(stack) is { } kept)
        {
            _samples.Add(((int)threadId, time, kept));
        }
    }

    /// <summary>Returns the samples for whose thread and time the predicate returns true. It is called oldest first.</summary>
    public IEnumerable<(int OsThreadId, long Time, ulong[] Addresses)> Where(Func<int, long, bool> isWanted) =>
        _samples.OrderBy(sample => sample.Time).Where(sample => isWanted(sample.Thread, sample.Time));
}
