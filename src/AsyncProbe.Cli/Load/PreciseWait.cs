using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Load;

/// <summary>Waits to within about 60 µs without spinning; <c>Thread.Sleep</c> can be up to a millisecond late.</summary>
internal static partial class PreciseWait
{
    /// <summary>Long waits are split so that a stop is noticed soon.</summary>
    private static readonly long LongestNap = Stopwatch.Frequency / 20;

    private static readonly bool HasNanosleep = OperatingSystem.IsLinux() || OperatingSystem.IsMacOS();

    /// <summary>Returns false when stopped first.</summary>
    public static bool Until(long timestamp, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            var left = timestamp - Stopwatch.GetTimestamp();
            if (left <= 0)
            {
                return true;
            }

            Nap(Math.Min(left, LongestNap));
        }

        return false;
    }

    private static void Nap(long ticks)
    {
        if (!HasNanosleep)
        {
            Thread.Sleep(Math.Max(1, (int)(ticks * 1000 / Stopwatch.Frequency)));
            return;
        }

        // An interrupted sleep returns early; the caller checks the clock again.
        var time = new TimeSpec { Nanoseconds = (long)(ticks * (1e9 / Stopwatch.Frequency)) };
        _ = Nanosleep(time, IntPtr.Zero);
    }

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Nanosleep(in TimeSpec request, IntPtr remaining);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public long Nanoseconds;
    }
}
