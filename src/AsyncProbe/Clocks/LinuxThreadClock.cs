using System.Buffers.Text;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.Unicode;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// CPU from <c>clock_gettime</c> (exact; <c>getrusage</c> is stale by up to a scheduler tick of 4 ms), voluntary switches from
/// <c>getrusage</c>, the run-queue wait from <c>/proc</c>. Together these take 1.3 to 2 µs, and 5 µs on some virtual machines. A thread
/// that never left its core needs none of them, or one.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxThreadClock
{
    private const int ThreadCpuTime = 3;
    private const int RusageThread = 1;
    private const int VoluntarySwitchesIndex = 16;
    private const int InvoluntarySwitchesIndex = 17;
    private const int OpenReadOnlyCloseOnExec = 0x80000;

    // A descriptor that we keep is one that the application lacks. The threads beyond these open the file for each reading, which takes
    // some 3 µs.
    private const int MostFiles = 32;

    private static Duration CpuKnownFor => Duration.Millisecond;

    private static int s_files;

    /// <summary>The structures below are those of 64-bit Linux.</summary>
    public static bool IsSupported { get; } = ThreadClocks.AreAsked && Environment.Is64BitProcess && GetTidNumber() != 0;

    /// <summary>False on kernels built without scheduler statistics and under some sandboxes.</summary>
    public static bool HasRunQueue { get; } = ThreadClocks.AreRunQueuesAsked && ProbeRunQueue();

    public static ThreadIdentity Identify()
    {
        return new ThreadIdentity((int)Syscall(GetTidNumber()), HasRunQueue ? OpenRunQueue() : ThreadIdentity.NoHandle);
    }

    private static int OpenRunQueue()
    {
        if (!Counter.TryRaise(ref s_files, MostFiles))
        {
            return ThreadIdentity.NoHandle;
        }

        fixed (byte* path = "/proc/thread-self/schedstat\0"u8)
        {
            var file = Open(path, OpenReadOnlyCloseOnExec);
            if (file < 0)
            {
                Interlocked.Decrement(ref s_files);
            }

            return file;
        }
    }

    /// <param name="self">The calling thread.</param>
    /// <param name="reading">The thread's reading before, which becomes the new one.</param>
    /// <param name="now">The present, looked at before the call.</param>
    public static void Read(in ThreadIdentity self, ref ThreadReading reading, Timestamp now)
    {
        if (reading.Mark.IsUsable)
        {
            if (reading.At != default && reading.Mark.IsSet)
            {
                reading.Cpu = CpuNow();
                reading.CpuReadAt = now;
                return;
            }

            // Before the clocks are read: the next reading must see a switch that happens in between.
            reading.Mark.Set();
        }

        var usage = stackalloc long[18];
        if (GetRusage(RusageThread, usage) != 0)
        {
            reading.Cpu = CpuNow();
            return;
        }

        // The same by the counts of switches, for a thread without a mark and after a signal.
        var switches = usage[VoluntarySwitchesIndex] + usage[InvoluntarySwitchesIndex];
        var hasStayed = reading.At != default && switches == reading.Switches;
        if (hasStayed && now - reading.CpuReadAt < CpuKnownFor)
        {
            reading.Cpu += (now - reading.At).OrZero();
            return;
        }

        reading.Cpu = CpuNow();
        reading.CpuReadAt = now;
        if (hasStayed)
        {
            return;
        }

        reading.VoluntarySwitches = usage[VoluntarySwitchesIndex];
        reading.Switches = switches;

        // Where the process has no descriptor left, the wait for a core is part of blocked this time.
        reading.CpuWait = ReadRunQueue(in self) ?? reading.CpuWait;
    }

    /// <summary>
    /// Brings a reading up to date without a system call. That takes a thread that hasn't left its core since: it can't have waited for
    /// one, and its CPU clock went as fast as the other. A hypervisor takes the core without a switch, so this doesn't hold for long.
    /// </summary>
    /// <returns>False when the clocks have to be read.</returns>
    public static bool TryContinue(ref ThreadReading reading, Timestamp now)
    {
        if (!reading.Mark.IsUsable || !reading.Mark.IsSet || now - reading.CpuReadAt >= CpuKnownFor)
        {
            return false;
        }

        reading.Cpu += (now - reading.At).OrZero();
        reading.At = now;
        return true;
    }

    /// <summary>How often the calling thread gave up its core of its own accord.</summary>
    public static long VoluntarySwitches()
    {
        var usage = stackalloc long[18];
        return GetRusage(RusageThread, usage) == 0 ? usage[VoluntarySwitchesIndex] : 0;
    }

    /// <summary>The kernel encodes the CPU clock of thread <c>tid</c> as <c>(~tid &lt;&lt; 3) | 6</c>.</summary>
    public static ThreadRun? RunOf(in ThreadIdentity other)
    {
        Timespec time;
        if (ClockGetTime((~other.OsThreadId << 3) | 6, &time) != 0)
        {
            return null;
        }

        return ReadRunQueue(in other) is { } cpuWait ? new ThreadRun(time.Total, time.Total + cpuWait) : null;
    }

    /// <summary>The state in <c>/proc</c>, which the kernel writes anew for each reader: for snapshots, not for every tick.</summary>
    public static bool WantsToRun(int osThreadId)
    {
        // "4711 (.NET TP Worker) S …": the name, of 15 characters at most, may hold anything, also a bracket.
        Span<byte> text = stackalloc byte[64];
        text = ReadFile(osThreadId, "stat"u8, text);
        return text[(text.LastIndexOf((byte)')') + 1)..].StartsWith(" R"u8);
    }

    /// <summary>
    /// How often another thread gave up its core of its own accord; null when it has ended. Some 20 µs: the kernel writes pages of text for
    /// it.
    /// </summary>
    public static long? VoluntarySwitchesOf(int osThreadId)
    {
        Span<byte> text = stackalloc byte[4096];
        text = ReadFile(osThreadId, "status"u8, text);
        var name = "\nvoluntary_ctxt_switches:\t"u8;
        var at = text.IndexOf(name);
        return at >= 0 && Utf8Parser.TryParse(text[(at + name.Length)..], out long switches, out _) ? switches : null;
    }

    /// <summary>Whether the operating system knows the thread by this name, of at most 15 bytes; false when it has ended.</summary>
    public static bool IsNamed(int osThreadId, ReadOnlySpan<byte> name)
    {
        Span<byte> text = stackalloc byte[16];
        return ReadFile(osThreadId, "comm"u8, text).TrimEnd((byte)'\n').SequenceEqual(name);
    }

    // Of a thread of this process; empty when it has ended, which is no exception: threads end while others look.
    private static Span<byte> ReadFile(int osThreadId, ReadOnlySpan<byte> file, Span<byte> text)
    {
        Span<byte> name = stackalloc byte[48];
        name.Clear();
        _ = Utf8.TryWrite(name, $"/proc/self/task/{osThreadId}/", out var length);
        file.CopyTo(name[length..]);
        fixed (byte* path = name)
        fixed (byte* buffer = text)
        {
            var opened = Open(path, OpenReadOnlyCloseOnExec);
            if (opened < 0)
            {
                return [];
            }

            var read = Math.Max(0, (int)ReadAt(opened, buffer, text.Length, 0));
            Close(opened);
            return text[..read];
        }
    }

    /// <summary>Closes what <see cref="Identify"/> opened.</summary>
    public static void Release(int file)
    {
        Close(file);
        Interlocked.Decrement(ref s_files);
    }

    // We can do nothing about a descriptor that cannot be closed.
    private static void Close(int file) => _ = CloseFile(file);

    /// <summary>Zero where the platform has no such figure; null when it could not be read this time.</summary>
    private static Duration? ReadRunQueue(in ThreadIdentity thread)
    {
        if (!HasRunQueue)
        {
            return Duration.Zero;
        }

        Span<byte> text = stackalloc byte[64];
        fixed (byte* buffer = text)
        {
            var length = thread.Handle >= 0
                ? (int)ReadAt(thread.Handle, buffer, text.Length, 0)
                : ReadFile(thread.OsThreadId, "schedstat"u8, text).Length;
            return length > 0 ? ParseRunQueue(text[..length]) : null;
        }
    }

    /// <summary>The second of the three numbers "ran waited timeslices".</summary>
    private static Duration ParseRunQueue(ReadOnlySpan<byte> text)
    {
        var length = text.Length;
        var position = 0;
        while (position < length && text[position] != ' ')
        {
            position++;
        }

        long waited = 0;
        for (position++; position < length && text[position] is >= (byte)'0' and <= (byte)'9'; position++)
        {
            waited = (waited * 10) + (text[position] - '0');
        }

        return Duration.FromNanoseconds(waited);
    }

    private static Duration CpuNow()
    {
        Timespec time;
        return ClockGetTime(ThreadCpuTime, &time) == 0 ? time.Total : Duration.Zero;
    }

    private static bool ProbeRunQueue()
    {
        try
        {
            return File.ReadAllText("/proc/thread-self/schedstat").Split(' ').Length == 3;
        }
        catch (Exception)
        {
            // Not only what the kernel lacks: an exception in here would make the whole class unusable until the process ends.
            return false;
        }
    }

    // .NET 8 has no name for it.
    private const Architecture RiscV64 = (Architecture)9;

    // glibc before 2.30 has no gettid function, so the system call is made by its number.
    private static long GetTidNumber() => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 186,
        Architecture.Arm64 or RiscV64 or Architecture.LoongArch64 => 178,
        _ => 0,
    };

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    [SuppressGCTransition]
    private static partial int ClockGetTime(int clock, Timespec* time);

    [LibraryImport("libc", EntryPoint = "getrusage")]
    [SuppressGCTransition]
    private static partial int GetRusage(int who, long* usage);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial long Syscall(long number);

    [LibraryImport("libc", EntryPoint = "open")]
    private static partial int Open(byte* path, int flags);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int CloseFile(int file);

    [LibraryImport("libc", EntryPoint = "pread")]
    private static partial nint ReadAt(int file, byte* buffer, nint count, long offset);

    [StructLayout(LayoutKind.Sequential)]
    internal struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;

        public readonly Duration Total => (Seconds * Duration.Second) + Duration.FromNanoseconds(Nanoseconds);
    }
}
