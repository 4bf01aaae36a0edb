using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Clocks;

/// <summary>
/// The CPU time of the process. .NET 8 has only <see cref="Process"/>, which on Linux reads a file and has a resolution of 10 ms, so this
/// reads the clock directly.
/// </summary>
internal static unsafe partial class ProcessCpu
{
    private const int ProcessClockOfLinux = 2;

    private static readonly Process s_self = Process.GetCurrentProcess();

    public static TimeSpan Total()
    {
        if (OperatingSystem.IsLinux() && Environment.Is64BitProcess)
        {
            var time = stackalloc long[2];
            if (ClockGetTime(ProcessClockOfLinux, time) == 0)
            {
                return TimeSpan.FromTicks((time[0] * TimeSpan.TicksPerSecond) + (time[1] / TimeSpan.NanosecondsPerTick));
            }
        }

        lock (s_self)
        {
            s_self.Refresh();
            return s_self.TotalProcessorTime;
        }
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, long* time);
}
