using System.Collections.Concurrent;

namespace AsyncProbe.TruthServer;

/// <summary>What the endpoints measured themselves, by endpoint.</summary>
public static class Ledger
{
    private static readonly ConcurrentDictionary<string, LedgerCell> s_cells = new(StringComparer.Ordinal);

    public static LedgerCell Cell(string endpoint) => s_cells.GetOrAdd(endpoint, static _ => new LedgerCell());

    public static IReadOnlyDictionary<string, LedgerCell> Read() => s_cells;
}

/// <summary>Sums of one endpoint, in nanoseconds.</summary>
public sealed class LedgerCell
{
    private long _count;
    private long _blocked;
    private long _cpu;
    private long _ready;

    /// <summary>How often the line was run.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>For how long its thread had nothing to do.</summary>
    public long Blocked => Volatile.Read(ref _blocked);

    public long Cpu => Volatile.Read(ref _cpu);

    /// <summary>For how long its thread was ready to run and had no core.</summary>
    public long Ready => Volatile.Read(ref _ready);

    public static OwnReading Begin() => OwnReading.Take();

    /// <summary>On the thread that began.</summary>
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
