using System.Buffers.Text;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.Unicode;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Reads CPU time with <c>clock_gettime</c> (exact; <c>getrusage</c> is stale by up to a scheduler tick of 4 ms), voluntary switches with
/// <c>getrusage</c>, and the run-queue wait from <c>/proc</c>. Together these take 1.3 to 2 µs, and 5 µs on some virtual machines. For a
/// thread that never left its core, at most one of them is needed.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxThreadClock
{
    private const int ThreadCpuTime = 3;
    private const int RusageThread = 1;
    private const int VoluntarySwitchesIndex = 16;
    private const int InvoluntarySwitchesIndex = 17;
    private const int OpenReadOnlyCloseOnExec = 0x80000;

    /// <summary>
    /// Each descriptor that we keep is one less for the application. Threads beyond this number open the file for each reading, which takes
    /// about 3 µs.
    /// </summary>
    public const int MostFiles = 32;

    private static Duration CpuKnownFor => Duration.Millisecond;

    private static int s_files;

    /// <summary>Whether the clocks are switched on and this is 64-bit Linux, which the structures below are laid out for.</summary>
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

    /// <param name="reading">The thread's previous reading; this call updates it.</param>
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

            // Set before the clocks are read, because the next reading must notice a switch that happens in between.
            reading.Mark.Set();
        }

        var usage = stackalloc long[18];
        if (GetRusage(RusageThread, usage) != 0)
        {
            reading.Cpu = CpuNow();
            return;
        }

        // Check the switch counts instead, for a thread without a mark and after a signal.
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

        // If the process has no descriptor left, the wait for a core counts as blocked this time.
        reading.CpuWait = ReadRunQueue(in self) ?? reading.CpuWait;
    }

    /// <summary>
    /// Updates a reading without a system call. This works only if the thread hasn't left its core since the last reading: then it can't
    /// have waited for a core, and its CPU clock moved as fast as the wall clock. A hypervisor can take the core without a switch, so this
    /// is valid only for a short time.
    /// </summary>
    /// <returns>False if the clocks have to be read.</returns>
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

    /// <summary>How often the calling thread gave up its core voluntarily.</summary>
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

    /// <summary>
    /// Reads the state from <c>/proc</c>, which the kernel generates for each reader: use it for snapshots, not on every tick.
    /// </summary>
    public static bool WantsToRun(int osThreadId)
    {
        // "4711 (.NET TP Worker) S …": the name, at most 15 characters, may contain anything, even a bracket.
        Span<byte> text = stackalloc byte[64];
        text = ReadFile(osThreadId, "stat"u8, text);
        return text[(text.LastIndexOf((byte)')') + 1)..].StartsWith(" R"u8);
    }

    /// <summary>
    /// How often another thread gave up its core voluntarily; null if it has ended. Takes about 20 µs, because the kernel generates pages
    /// of text for it.
    /// </summary>
    public static long? VoluntarySwitchesOf(int osThreadId)
    {
        Span<byte> text = stackalloc byte[4096];
        text = ReadFile(osThreadId, "status"u8, text);
        var name = "\nvoluntary_ctxt_switches:\t"u8;
        var at = text.IndexOf(name);
        return at >= 0 && Utf8Parser.TryParse(text[(at + name.Length)..], out long switches, out _) ? switches : null;
    }

    /// <summary>Whether the thread has this name (at most 15 bytes) in the operating system; false if it has ended.</summary>
    public static bool IsNamed(int osThreadId, ReadOnlySpan<byte> name)
    {
        Span<byte> text = stackalloc byte[16];
        return ReadFile(osThreadId, "comm"u8, text).TrimEnd((byte)'\n').SequenceEqual(name);
    }

    // Reads a file of a thread in this process. Empty, without an exception, if the thread has ended: threads may end at any time.
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

    // If a descriptor cannot be closed, there's nothing we can do.
    private static void Close(int file) => _ = CloseFile(file);

    /// <summary>Zero if the platform has no such figure; null if it could not be read this time.</summary>
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
            // Catch everything, not only missing kernel support: an exception here would make the class unusable until the process ends.
            return false;
        }
    }

    // .NET 8 has no name for this value.
    private const Architecture RiscV64 = (Architecture)9;

    // glibc before 2.30 has no gettid function, so make the system call by its number.
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
