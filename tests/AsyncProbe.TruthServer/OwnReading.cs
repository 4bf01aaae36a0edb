using System.Buffers.Text;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncProbe.TruthServer;

/// <summary>
/// A thread's clocks, in nanoseconds, always freshly read. AsyncProbe has to read the same kernel clocks, because these are the only ones,
/// but with its own code and not at every boundary. The comparison tests that.
/// </summary>
public readonly partial record struct OwnReading(long Wall, long Cpu, long Ready)
{
    private const int ClockOfThread = 3;

    [ThreadStatic]
    private static SafeFileHandle? s_schedule;

    public static OwnReading Take()
    {
        _ = GetTime(ClockOfThread, out var cpu);
        return new OwnReading(Stopwatch.GetElapsedTime(0).Ticks * 100, (cpu.Seconds * 1_000_000_000) + cpu.Nanoseconds, ReadReady());
    }

    // "cpu ready slices", in nanoseconds.
    private static long ReadReady()
    {
        s_schedule ??= File.OpenHandle("/proc/thread-self/schedstat");
        Span<byte> text = stackalloc byte[96];
        text = text[..RandomAccess.Read(s_schedule, text, 0)];
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(text, out long ready, out _) ? ready : 0;
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int GetTime(int clock, out Time time);

    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
