namespace AsyncProbe.Common;

/// <summary>A number that all cores change often and few read: each core has a part of its own, in a cache line of its own.</summary>
/// <param name="cores">How many parts; a power of two.</param>
internal sealed class CoreCounter(int cores)
{
    private const int IntsPerLine = 128 / sizeof(int);

    private readonly int[] _parts = new int[cores * IntsPerLine];

    /// <param name="core">The calling thread's, modulo the number of parts. What one core adds another may take away.</param>
    /// <param name="more">1 or -1.</param>
    public void Add(int core, int more) => Interlocked.Add(ref _parts[core * IntsPerLine], more);

    public int Sum()
    {
        var sum = 0;
        for (var i = 0; i < _parts.Length; i += IntsPerLine)
        {
            sum += Volatile.Read(ref _parts[i]);
        }

        return sum;
    }
}
