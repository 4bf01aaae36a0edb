using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// The clocks of a thread, with one file per platform. Figures that a platform doesn't provide are listed in <see cref="NotAvailable"/> and
/// reported as null.
/// </summary>
internal static class ThreadClock
{
    private static readonly bool s_hasCpu = HasCpuHere();

    private static readonly bool s_hasCpuWait = OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported && LinuxThreadClock.HasRunQueue;

    private static readonly IReadOnlyList<string> s_gaps = [.. DescribeGaps()];

    // Static, because it concerns the runtime and so the whole process.
    private static volatile string? s_withdrawal;

    public static bool HasCpu => s_hasCpu && s_withdrawal is null;

    /// <summary>Whether waiting for a core can be distinguished from being blocked.</summary>
    public static bool HasCpuWait => s_hasCpuWait && s_withdrawal is null;

    /// <summary>Whether nothing is known about what requests hold, not even for how long.</summary>
    public static bool IsWithdrawn => s_withdrawal is not null;

    /// <summary>
    /// Whether a thread's clock advances as soon as the thread runs. If it advances in steps, a thread that worked briefly looks as if it
    /// had slept.
    /// </summary>
    public static bool HasExactCpu { get; } = s_hasCpu && (!OperatingSystem.IsWindows() || WindowsThreadClock.CycleFault is null);

    /// <summary>
    /// How long the clock of a running thread may stand still: if it advances in steps of 16 ms, a thread that shares its core with twenty
    /// others takes this long per step.
    /// </summary>
    public static Duration LongestStandstill { get; } = HasExactCpu ? Duration.Zero : Duration.FromMilliseconds(320);

    /// <summary>The gaps in this process's figures, as sentences for the report; usually empty on Linux.</summary>
    public static IReadOnlyList<string> NotAvailable => s_withdrawal is { } withdrawal ? [withdrawal] : s_gaps;

    /// <summary>Stops reporting what requests hold, because it's unknown which request a thread runs.</summary>
    /// <param name="why">A sentence for the report.</param>
    public static void Withdraw(string why) => s_withdrawal = why;

    /// <summary>Reads the clocks of the calling thread.</summary>
    /// <param name="reading">The thread's previous reading; this call updates it. The caller sets <see cref="ThreadReading.At"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Read(in ThreadIdentity self, ref ThreadReading reading, Timestamp now)
    {
        if (OperatingSystem.IsLinux())
        {
            // On other platforms the structures differ and the results would be garbage.
            if (LinuxThreadClock.IsSupported)
            {
                LinuxThreadClock.Read(in self, ref reading, now);
            }
        }
        else if (OperatingSystem.IsWindows())
        {
            WindowsThreadClock.Read(ref reading);
        }
        else if (OperatingSystem.IsMacOS())
        {
            MacThreadClock.Read(ref reading);
        }

        reading.GcPause = ProcessClock.GcPause();
    }

    /// <summary>The initial reading for the calling thread's slot.</summary>
    public static ThreadReading NewReading() =>
        new() { Mark = OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported ? SwitchMark.OfCurrentThread() : default };

    /// <summary>Updates a reading of the calling thread if that takes no system call.</summary>
    /// <returns>False if the clocks have to be read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryContinue(ref ThreadReading reading, Timestamp now)
    {
        if (!OperatingSystem.IsLinux() || !LinuxThreadClock.TryContinue(ref reading, now))
        {
            return false;
        }

        // A collection that ran on this thread is part of its CPU time. The pause must not be charged to a later segment.
        reading.GcPause = ProcessClock.GcPause();
        return true;
    }

    /// <summary>How much another living thread has run; null if the platform doesn't report it.</summary>
    public static ThreadRun? RunOf(in ThreadIdentity other)
    {
        if (IsWithdrawn)
        {
            return null;
        }

        if (OperatingSystem.IsWindows())
        {
            return WindowsThreadClock.RunOf(in other);
        }

        return OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported ? LinuxThreadClock.RunOf(in other) : null;
    }

    /// <summary>
    /// Whether another living thread may have blocked: its count of voluntary switches differs from the given one. True if unknown.
    /// </summary>
    public static bool HasBlockedSince(in ThreadIdentity other, long voluntarySwitches) =>
        !OperatingSystem.IsLinux() || LinuxThreadClock.VoluntarySwitchesOf(other.OsThreadId) is not { } now || now != voluntarySwitches;

    /// <summary>Whether a thread currently has a core or wants one; false if the platform doesn't report it.</summary>
    public static bool WantsToRun(in ThreadIdentity other) => WantsToRun(other.OsThreadId);

    /// <summary>The same by the operating system's thread id.</summary>
    public static bool WantsToRun(int osThreadId) => OperatingSystem.IsLinux() && LinuxThreadClock.WantsToRun(osThreadId);

    private static bool HasCpuHere() =>
        ThreadClocks.AreAsked
        && ((OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported) || OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());

    private static IEnumerable<string> DescribeGaps()
    {
        if (!HasCpuHere())
        {
            yield return "cpu, cpuWait and blocked: this platform gives no CPU time per thread. Held time is still exact.";
            yield break;
        }

        if (OperatingSystem.IsWindows() && WindowsThreadClock.CycleFault is { } fault)
        {
            yield return $"cpu: this Windows counts a thread's CPU time in steps of up to 15.6 ms, because its cycle counter {fault}; "
                + "single requests are rough and only sums are right.";
        }

        if (!OperatingSystem.IsLinux() || !LinuxThreadClock.HasRunQueue)
        {
            yield return "cpuWait: this platform doesn't report how long a thread waited for a core; that time is part of blocked.";
        }
    }
}
