using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Counts the stacks that each wanted thread was seen with between two moments.</summary>
/// <param name="begin">Gives the wanted threads at the first.</param>
/// <param name="end">Called at the second.</param>
internal sealed class StackCounts(Func<IReadOnlySet<int>> begin, Action end) : IEventSink
{
    // A thread that is elsewhere in every sample is not blocked.
    private const int MostStacks = 32;

    private readonly Dictionary<int, List<Seen>> _threads = [];
    private IReadOnlySet<int> _wanted = new HashSet<int>();
    private long _from = long.MaxValue;
    private long _to = long.MaxValue;

    /// <summary>Whether the threads that were wanted were not seen.</summary>
    public bool IsEmpty => _threads.Count == 0 && _wanted.Count > 0;

    /// <summary>Called when the runtime has begun to sample.</summary>
    public void Begin()
    {
        Volatile.Write(ref _to, long.MaxValue);
        _wanted = begin();
        _from = Stopwatch.GetTimestamp();
    }

    /// <summary>Called when it is about to be stopped, from another thread.</summary>
    public void End()
    {
        Volatile.Write(ref _to, Stopwatch.GetTimestamp());
        end();
    }

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        // The runtime's events and the stopwatch have the same clock.
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

    /// <summary>For each thread the stack that it had most often.</summary>
    public IEnumerable<(int OsThreadId, ulong[] Addresses)> MostSeen() =>
        _threads.Select(thread => (thread.Key, thread.Value.MaxBy(seen => seen.Count)!.Addresses));

    private sealed class Seen(ulong[] addresses)
    {
        public ulong[] Addresses { get; } = addresses;

        public int Count { get; set; } = 1;
    }
}
