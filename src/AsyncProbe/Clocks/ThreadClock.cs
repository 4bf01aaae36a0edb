using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// The clocks of a thread, one file per platform. What a platform cannot give is said in <see cref="NotAvailable"/> and reported as null.
/// </summary>
internal static class ThreadClock
{
    private static readonly bool s_hasCpu = HasCpuHere();

    private static readonly bool s_hasCpuWait = OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported && LinuxThreadClock.HasRunQueue;

    private static readonly IReadOnlyList<string> s_gaps = [.. DescribeGaps()];

    // Of the process, as the runtime is.
    private static volatile string? s_withdrawal;

    public static bool HasCpu => s_hasCpu && s_withdrawal is null;

    /// <summary>Whether the wait for a core can be told from being blocked.</summary>
    public static bool HasCpuWait => s_hasCpuWait && s_withdrawal is null;

    /// <summary>Whether nothing is known of what a request holds, not even for how long.</summary>
    public static bool IsWithdrawn => s_withdrawal is not null;

    /// <summary>
    /// Whether a thread's clock moves as soon as the thread runs. Where it goes in steps, one that worked for a moment looks as if it had
    /// slept.
    /// </summary>
    public static bool HasExactCpu { get; } = s_hasCpu && (!OperatingSystem.IsWindows() || WindowsThreadClock.CycleFault is null);

    /// <summary>
    /// How long the clock of a thread that works may stand still: where it goes in steps of 16 ms, one that shares its core with twenty
    /// others needs so long for a step.
    /// </summary>
    public static Duration LongestStandstill { get; } = HasExactCpu ? Duration.Zero : Duration.FromMilliseconds(320);

    /// <summary>What the figures of this process lack, as sentences for the report; empty on Linux.</summary>
    public static IReadOnlyList<string> NotAvailable => s_withdrawal is { } withdrawal ? [withdrawal] : s_gaps;

    /// <summary>Gives no figure of what requests hold any more: nobody can say which request a thread runs.</summary>
    /// <param name="why">A sentence for the report.</param>
    public static void Withdraw(string why) => s_withdrawal = why;

    /// <summary>Reads the clocks of the calling thread.</summary>
    /// <param name="self">The calling thread.</param>
    /// <param name="reading">The thread's reading before, which becomes the new one; its <see cref="ThreadReading.At"/> is the caller's to
    /// set.</param>
    /// <param name="now">The present, looked at before the call.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Read(in ThreadIdentity self, ref ThreadReading reading, Timestamp now)
    {
        if (OperatingSystem.IsLinux())
        {
            // Where the structures are others, the answers would be rubbish.
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

    /// <summary>What the slot of the calling thread starts with.</summary>
    public static ThreadReading NewReading() =>
        new() { Mark = OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported ? SwitchMark.OfCurrentThread() : default };

    /// <summary>Brings a reading of the calling thread up to date if that takes no system call.</summary>
    /// <returns>False when the clocks have to be read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryContinue(ref ThreadReading reading, Timestamp now)
    {
        if (!OperatingSystem.IsLinux() || !LinuxThreadClock.TryContinue(ref reading, now))
        {
            return false;
        }

        // A collection that ran on this thread is part of its CPU time; the pause must not be charged to a later segment.
        reading.GcPause = ProcessClock.GcPause();
        return true;
    }

    /// <summary>How much another, living thread has run, or null where the platform cannot tell.</summary>
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
    /// Whether another, living thread may have blocked: its count of voluntary switches is no longer the one given. True where nobody can
    /// tell.
    /// </summary>
    public static bool HasBlockedSince(in ThreadIdentity other, long voluntarySwitches) =>
        !OperatingSystem.IsLinux() || LinuxThreadClock.VoluntarySwitchesOf(other.OsThreadId) is not { } now || now != voluntarySwitches;

    /// <summary>Whether a thread has a core or wants one at this moment; false where the platform cannot tell.</summary>
    public static bool WantsToRun(in ThreadIdentity other) => WantsToRun(other.OsThreadId);

    /// <summary>The same by the operating system's id of the thread.</summary>
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
            yield return "cpuWait: this platform does not tell how long a thread waited for a core; that time is part of blocked.";
        }
    }
}
