using System.Collections.Concurrent;

namespace AsyncProbe.TruthServer;

/// <summary>The endpoints' own measurements, by endpoint.</summary>
public static class Ledger
{
    private static readonly ConcurrentDictionary<string, LedgerCell> s_cells = new(StringComparer.Ordinal);

    public static LedgerCell Cell(string endpoint) => s_cells.GetOrAdd(endpoint, static _ => new LedgerCell());

    public static IReadOnlyDictionary<string, LedgerCell> Read() => s_cells;
}

/// <summary>The sums of one endpoint, in nanoseconds.</summary>
public sealed class LedgerCell
{
    private long _count;
    private long _blocked;
    private long _cpu;
    private long _ready;

    /// <summary>How often the line ran.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>How long its thread had nothing to do.</summary>
    public long Blocked => Volatile.Read(ref _blocked);

    public long Cpu => Volatile.Read(ref _cpu);

    /// <summary>How long its thread was ready to run but had no core.</summary>
    public long Ready => Volatile.Read(ref _ready);

    public static OwnReading Begin() => OwnReading.Take();

    /// <summary>Must be called on the thread that began.</summary>
    public void End(OwnReading begin)
    {
        var end = OwnReading.Take();
        var (wall, cpu, ready) = (end.Wall - begin.Wall, end.Cpu - begin.Cpu, end.Ready - begin.Ready);
        Interlocked.Add(ref _cpu, cpu);
        Interlocked.Add(ref _ready, ready);
        Interlocked.Add(ref _blocked, Math.Max(0, wall - cpu - ready));
        Interlocked.Increment(ref _count);
    }
}
