namespace AsyncProbe.Common;

/// <summary>A number that all cores change often but is rarely read. Each core has its own part, in its own cache line.</summary>
/// <param name="cores">The number of parts; a power of two.</param>
internal sealed class CoreCounter(int cores)
{
    private const int IntsPerLine = 128 / sizeof(int);

    private readonly int[] _parts = new int[cores * IntsPerLine];

    /// <param name="core">The calling thread's core, modulo the number of parts. One core may subtract what another added.</param>
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
