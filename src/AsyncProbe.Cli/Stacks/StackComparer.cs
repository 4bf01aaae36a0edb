using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Stacks;

/// <summary>Compares stacks by their addresses, because each window has separate arrays.</summary>
internal sealed class StackComparer : IEqualityComparer<ulong[]>
{
    public static StackComparer Instance { get; } = new();

    public bool Equals(ulong[]? x, ulong[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(ulong[] obj)
    {
        var hash = new HashCode();
        hash.AddBytes(MemoryMarshal.AsBytes(obj.AsSpan()));
        return hash.ToHashCode();
    }
}
