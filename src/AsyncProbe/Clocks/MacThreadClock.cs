using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>CPU from <c>clock_gettime_nsec_np</c>; macOS tells neither the run queue nor voluntary switches of a thread.</summary>
[SupportedOSPlatform("macos")]
internal static partial class MacThreadClock
{
    private const int ThreadCpuTime = 16;

    public static void Read(ref ThreadReading reading)
    {
        reading.Cpu = Duration.FromNanoseconds((long)ClockGetTime(ThreadCpuTime));

        // No gate here: every reading counts as if the thread had switched, or nothing would ever be blocked.
        reading.VoluntarySwitches++;
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime_nsec_np")]
    private static partial ulong ClockGetTime(int clock);
}
