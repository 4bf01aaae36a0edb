using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// CPU from <c>QueryThreadCycleTime</c> where it passes its test at the start, else from <c>GetThreadTimes</c>, in steps of 15.6 ms;
/// Windows tells neither the run queue nor voluntary switches of a thread.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowsThreadClock
{
    private const uint QueryLimitedInformation = 0x0800;

    private static readonly CycleClock s_cycles = CycleClock.Calibrate(new OwnCycles());

    // A field of its own, so that the compiled code holds one of the two branches alone.
    private static readonly bool s_isExact = s_cycles.Fault is null;

    /// <summary>Why the cycle counter is not used; null when it is, and CPU time is exact.</summary>
    public static string? CycleFault => s_cycles.Fault;

    public static ThreadIdentity Identify()
    {
        var id = GetCurrentThreadId();

        // The handle of the calling thread that Windows gives for nothing means another thread to each that uses it.
        var handle = OpenThread(QueryLimitedInformation, inheritHandle: false, id);
        return new ThreadIdentity((int)id, handle == 0 ? ThreadIdentity.NoHandle : (int)handle);
    }

    public static void Read(ref ThreadReading reading)
    {
        // Without an answer the time goes on where it stopped, and nobody is charged twice.
        if (CpuOf(GetCurrentThread()) is { } cpu)
        {
            reading.Cpu = cpu;
        }

        // No gate here: every reading counts as if the thread had switched, or nothing would ever be blocked.
        reading.VoluntarySwitches++;
    }

    /// <summary>How much another, living thread has run. Its wait for a core is not known.</summary>
    public static ThreadRun? RunOf(in ThreadIdentity other) =>
        other.Handle != ThreadIdentity.NoHandle && CpuOf(other.Handle) is { } cpu ? new ThreadRun(cpu, cpu) : null;

    /// <summary>There is nothing to be done about a handle that cannot be closed.</summary>
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
