using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Reads CPU time with <c>clock_gettime_nsec_np</c>. macOS doesn't report a thread's run-queue wait or voluntary switches.
/// </summary>
[SupportedOSPlatform("macos")]
internal static partial class MacThreadClock
{
    private const int ThreadCpuTime = 16;

    public static void Read(ref ThreadReading reading)
    {
        reading.Cpu = Duration.FromNanoseconds((long)ClockGetTime(ThreadCpuTime));

        // Count every reading as a switch, or nothing would ever be blocked.
        reading.VoluntarySwitches++;
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime_nsec_np")]
    private static partial ulong ClockGetTime(int clock);
}
