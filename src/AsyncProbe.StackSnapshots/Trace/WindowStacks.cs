using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Keeps when each wanted thread was seen outside managed code, and with which stack. Equal stacks are kept once.</summary>
/// <param name="begin">Gives the wanted threads when sampling begins.</param>
internal sealed class WindowStacks(Func<IReadOnlySet<int>> begin) : IEventSink
{
    // Hundreds of threads for a third of a second. What waits is seen again and again with one stack, so more are of no use.
    private const int MostSamples = 100_000;
    private const int MostStacks = 2_000;

    private readonly List<(int Thread, long Time, ulong[] Stack)> _samples = [];
    private readonly Dictionary<int, List<ulong[]>> _byHash = [];
    private int _stacks;
    private IReadOnlySet<int> _wanted = new HashSet<int>();
    private long _from = long.MaxValue;
    private long _to = long.MaxValue;

    /// <summary>Called when the runtime has begun to sample.</summary>
    public void Begin()
    {
        _wanted = begin();
        _from = Stopwatch.GetTimestamp();
    }

    /// <summary>Called when it is about to be stopped, from another thread.</summary>
    public void End() => Volatile.Write(ref _to, Stopwatch.GetTimestamp());

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        // The runtime's events and the stopwatch have the same clock.
        if (kind == EventKind.ThreadSample && time >= _from && time <= Volatile.Read(ref _to) && _wanted.Contains((int)threadId)
            && !stack.IsEmpty
            && ThreadSampleEvent.IsOutsideManagedCode(payload) && _samples.Count < MostSamples
            && Keep(MemoryMarshal.Cast<byte, ulong>(stack)) is { } kept)
        {
            _samples.Add(((int)threadId, time, kept));
        }
    }

    /// <summary>The samples for which a question about thread and time is answered with yes; asked oldest first.</summary>
    public IEnumerable<(int OsThreadId, long Time, ulong[] Addresses)> Where(Func<int, long, bool> isWanted) =>
        _samples.OrderBy(sample => sample.Time).Where(sample => isWanted(sample.Thread, sample.Time));

    private ulong[]? Keep(ReadOnlySpan<ulong> addresses)
    {
        var hash = new HashCode();
        hash.AddBytes(MemoryMarshal.AsBytes(addresses));
        ref var alike = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHash, hash.ToHashCode(), out _);
        alike ??= [];
        foreach (var known in alike)
        {
            if (addresses.SequenceEqual(known))
            {
                return known;
            }
        }

        if (_stacks >= MostStacks)
        {
            return null;
        }

        var stack = addresses.ToArray();
        alike.Add(stack);
        _stacks++;
        return stack;
    }
}
