using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Stores equal stacks once: blocked threads show the same few again and again.</summary>
/// <param name="most">How many different stacks it stores, to bound memory.</param>
internal sealed class DistinctStacks(int most)
{
    private readonly Dictionary<int, List<ulong[]>> _byHash = [];
    private int _kept;

    /// <returns>The stored stack; null if it is new and no more are stored.</returns>
    public ulong[]? Keep(ReadOnlySpan<byte> addresses)
    {
        var hash = new HashCode();
        hash.AddBytes(addresses);
        ref var alike = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHash, hash.ToHashCode(), out _);
        alike ??= [];
        var stack = MemoryMarshal.Cast<byte, ulong>(addresses);
        foreach (var known in alike)
        {
            if (stack.SequenceEqual(known))
            {
                return known;
            }
        }

        if (_kept >= most)
        {
            return null;
        }

        _kept++;
        var kept = stack.ToArray();
        alike.Add(kept);
        return kept;
    }
}
