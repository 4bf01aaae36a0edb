using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Counts how often each wanted thread had which stack.</summary>
internal sealed class StackCounts(Func<IReadOnlySet<int>> begin, Action end) : SampleSink(begin, end)
{
    // A thread with a different stack in every sample isn't blocked.
    private const int MostStacks = 32;

    private readonly Dictionary<int, List<Seen>> _threads = [];

    /// <summary>Whether no wanted thread was sampled, although there are some.</summary>
    public bool IsEmpty => _threads.Count == 0 && WantsAny;

    /// <summary>Returns each thread's most frequent stack.</summary>
    public IEnumerable<(int OsThreadId, long Time, ulong[] Addresses)> MostSeen() =>
        _threads.Select(thread => (thread.Key, Time: 0L, thread.Value.MaxBy(seen => seen.Count)!.Addresses));

    protected override void Take(int threadId, long time, ReadOnlySpan<byte> stack)
    {
        ref var seen = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, threadId, out _);
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

    private sealed class Seen(ulong[] addresses)
    {
        public ulong[] Addresses { get; } = addresses;

        public int Count { get; set; } = 1;
    }
}
