using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Counts the stacks that each wanted thread was seen with.</summary>
internal sealed class StackCounts(IReadOnlySet<int> osThreadIds) : IEventSink
{
    // A thread that is elsewhere in every sample is not blocked.
    private const int MostStacks = 32;

    // Outside managed code: whoever waits is there.
    private const int External = 1;

    private readonly Dictionary<int, List<Seen>> _threads = [];

    public bool IsEmpty => _threads.Count == 0;

    public void OnEvent(EventKind kind, long threadId, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        if (kind != EventKind.ThreadSample || !osThreadIds.Contains((int)threadId) || stack.IsEmpty
            || payload.Length < sizeof(int) || BinaryPrimitives.ReadInt32LittleEndian(payload) != External)
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
