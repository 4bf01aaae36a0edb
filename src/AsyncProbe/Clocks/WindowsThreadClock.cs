using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Reads CPU time with <c>QueryThreadCycleTime</c> if it passes its test at startup, otherwise with <c>GetThreadTimes</c>, in steps of 15.6
/// ms. Windows doesn't report a thread's run-queue wait or voluntary switches.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowsThreadClock
{
    private const uint QueryLimitedInformation = 0x0800;

    private static readonly CycleClock s_cycles = CycleClock.Calibrate(new OwnCycles());

    // A separate field, so that the JIT compiles only one of the two branches.
    private static readonly bool s_isExact = s_cycles.Fault is null;

    /// <summary>Why the cycle counter isn't used; null if it is used and CPU time is exact.</summary>
    public static string? CycleFault => s_cycles.Fault;

    public static ThreadIdentity Identify()
    {
        var id = GetCurrentThreadId();

        // The free pseudohandle from GetCurrentThread refers to whichever thread uses it, so it doesn't work across threads.
        var handle = OpenThread(QueryLimitedInformation, inheritHandle: false, id);
        return new ThreadIdentity((int)id, handle == 0 ? ThreadIdentity.NoHandle : (int)handle);
    }

    public static void Read(ref ThreadReading reading)
    {
        // If the call fails, the time continues from its last value, and no time is charged twice.
        if (CpuOf(GetCurrentThread()) is { } cpu)
        {
            reading.Cpu = cpu;
        }

        // Count every reading as a switch, or nothing would ever be blocked.
        reading.VoluntarySwitches++;
    }

    /// <summary>How much another living thread has run. Its wait for a core is unknown.</summary>
    public static ThreadRun? RunOf(in ThreadIdentity other) =>
        other.Handle != ThreadIdentity.NoHandle && CpuOf(other.Handle) is { } cpu ? new ThreadRun(cpu, cpu) : null;

    /// <summary>If a handle cannot be closed, there's nothing we can do.</summary>
    public static void Close(int handle) => _ = CloseHandle(handle);

    private static Duration? CpuOf(nint thread)
    {
        if (s_isExact)
        {
            ulong cycles;
            return QueryThreadCycleTime(thread, &cycles) != 0 ? s_cycles.ToDuration(cycles) : null;
        }

        long created, exited, kernel, user;
        return GetThreadTimes(thread, &created, &exited, &kernel, &user) != 0 ? Duration.From(TimeSpan.FromTicks(kernel + user)) : null;
    }

    [LibraryImport("kernel32", EntryPoint = "QueryThreadCycleTime")]
    private static partial int QueryThreadCycleTime(nint thread, ulong* cycles);

    [LibraryImport("kernel32", EntryPoint = "GetThreadTimes")]
    private static partial int GetThreadTimes(nint thread, long* created, long* exited, long* kernel, long* user);

    [LibraryImport("kernel32", EntryPoint = "GetCurrentThread")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32", EntryPoint = "GetCurrentThreadId")]
    private static partial uint GetCurrentThreadId();

    [LibraryImport("kernel32", EntryPoint = "OpenThread")]
    private static partial nint OpenThread(uint access, [MarshalAs(UnmanagedType.Bool)] bool inheritHandle, uint id);

    [LibraryImport("kernel32", EntryPoint = "CloseHandle")]
    private static partial int CloseHandle(nint handle);

    private sealed class OwnCycles : ICycleSource
    {
        public CycleReading? Spin(Duration time) => Measure(start =>
        {
            while (start.Elapsed() < time)
            {
                // Busy on purpose.
            }
        });

        public CycleReading? Sleep() => Measure(static _ => Thread.Sleep(1));

        private static CycleReading? Measure(Action<Timestamp> act)
        {
            ulong before, after;
            var start = Timestamp.Now();
            if (QueryThreadCycleTime(GetCurrentThread(), &before) == 0)
            {
                return null;
            }

            act(start);
            return QueryThreadCycleTime(GetCurrentThread(), &after) != 0 ? new CycleReading(start.Elapsed(), after - before) : null;
        }
    }
}
