using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Counts how often each wanted thread had which stack between two moments.</summary>
/// <param name="begin">Returns the wanted threads; called when sampling begins.</param>
/// <param name="end">Called when sampling ends.</param>
internal sealed class StackCounts(Func<IReadOnlySet<int>> begin, Action end) : IEventSink
{
    // A thread with a different stack in every sample isn't blocked.
    private const int MostStacks = 32;

    private readonly Dictionary<int, List<Seen>> _threads = [];
    private IReadOnlySet<int> _wanted = new HashSet<int>();
    private long _from = long.MaxValue;
    private long _to = long.MaxValue;

    /// <summary>Whether no wanted thread was sampled, although there are some.</summary>
    public bool IsEmpty => _threads.Count == 0 && _wanted.Count > 0;

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
        if (kind != EventKind.ThreadSample || time < _from || time > Volatile.Read(ref _to) || !_wanted.Contains((int)threadId)
            || stack.IsEmpty
            || !ThreadSampleEvent.IsOutsideManagedCode(payload))
        {
            return;
        }

        ref var seen = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, (int)threadId, out _);
        seen ??= [];
        var addresses = MemoryMarshal.Cast<byte, ulong>(stack);
        foreach (var known in seen)
        {
            if (addresses.SequenceEqual(known.Addresses))
            {
                known.Count++;
                return;
            }
        }

        if (seen.Count < MostStacks)
        {
            seen.Add(new Seen(addresses.ToArray()));
        }
    }

    /// <summary>Returns each thread's most frequent stack.</summary>
    public IEnumerable<(int OsThreadId, ulong[] Addresses)> MostSeen() =>
        _threads.Select(thread => (thread.Key, thread.Value.MaxBy(seen => seen.Count)!.Addresses));

    private sealed class Seen(ulong[] addresses)
    {
        public ulong[] Addresses { get; } = addresses;

        public int Count { get; set; } = 1;
    }
}
