using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// CPU from <c>GetThreadTimes</c>, in steps of 15.6 ms; Windows tells neither the run queue nor voluntary switches of a thread.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowsThreadClock
{
    public static void Read(ref ThreadReading reading)
    {
        long created, exited, kernel, user;
        reading.Cpu = GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user)
            ? Duration.From(TimeSpan.FromTicks(kernel + user))
            : Duration.Zero;

        // No gate here: every reading counts as if the thread had switched, or nothing would ever be blocked.
        reading.VoluntarySwitches++;
    }

    [LibraryImport("kernel32", EntryPoint = "GetThreadTimes")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetThreadTimes(nint thread, long* created, long* exited, long* kernel, long* user);

    [LibraryImport("kernel32", EntryPoint = "GetCurrentThread")]
    private static partial nint GetCurrentThread();
}
