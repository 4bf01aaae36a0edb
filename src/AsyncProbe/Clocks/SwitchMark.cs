using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace AsyncProbe.Clocks;

/// <summary>
/// Detects without a system call whether a thread has left its core since the mark was set. glibc registers a restartable sequence
/// (<c>rseq(2)</c>) for each thread. The kernel clears its pointer to the current sequence whenever it takes the thread off its core or
/// delivers a signal. We point it to a sequence that never runs, so clearing it has no other effect.
/// </summary>
[SupportedOSPlatform("linux")]
internal readonly unsafe partial struct SwitchMark
{
    // The signature that glibc registers on x64; the kernel kills a process that shows another one.
    private const uint Signature = 0x53053053;

    private const int CpuIdOffset = 4;
    private const int SequenceOffset = 8;
    private const int Sequences = 64;

    private static readonly nint s_areaOffset = FindAreaOffset();

    // Never freed: the kernel may read them until the last of their threads has ended.
    private static readonly Sequence* s_sequences = s_areaOffset == 0 ? null : CreateSequences();

    private static readonly bool s_isUsable = s_areaOffset != 0 && IsClearedByASwitch();

    private static int s_next;

    private readonly nint* _current;
    private readonly nint _mine;

    private SwitchMark(nint* current)
    {
        _current = current;
        _mine = (nint)(s_sequences + (Interlocked.Increment(ref s_next) & (Sequences - 1)));
    }

    /// <summary>Whether the system supports a mark on this thread.</summary>
    public bool IsUsable => _current != null;

    /// <summary>Whether the thread has stayed on its core since <see cref="Set"/>. Only for the thread itself.</summary>
    public bool IsSet => Volatile.Read(ref *_current) == _mine;

    /// <summary>The mark of the calling thread; unusable if the system doesn't support it.</summary>
    public static SwitchMark OfCurrentThread() => s_isUsable ? Find() : default;

    public void Set() => Volatile.Write(ref *_current, _mine);

    private static SwitchMark Find()
    {
        var area = PthreadSelf() + s_areaOffset;
        var isRegistered = *(int*)(area + CpuIdOffset) >= 0;
        return isRegistered ? new SwitchMark((nint*)(area + SequenceOffset)) : default;
    }

    // On other platforms the signature and the location of the thread's area are different.
    private static nint FindAreaOffset() =>
        ThreadClocks.AreSwitchesMarked && RuntimeInformation.ProcessArchitecture == Architecture.X64
            && NativeLibrary.TryLoad("libc.so.6", out var libc)
            && NativeLibrary.TryGetExport(libc, "__rseq_size", out var size) && *(uint*)size != 0
            && NativeLibrary.TryGetExport(libc, "__rseq_offset", out var offset)
                ? *(nint*)offset
                : 0;

    private static Sequence* CreateSequences()
    {
        var code = (uint*)NativeMemory.AllocZeroed(4 * sizeof(uint));
        code[0] = Signature;
        var all = (Sequence*)NativeMemory.AlignedAlloc((nuint)(Sequences * sizeof(Sequence)), (nuint)sizeof(Sequence));
        for (var i = 0; i < Sequences; i++)
        {
            // The sequence is one byte that no thread executes; the abort address follows the signature, and no thread goes there either.
            all[i] = new Sequence { Start = (ulong)(code + 2), Length = 1, Abort = (ulong)(code + 1) };
        }

        return all;
    }

    // A sandbox may provide the area but never update it.
    private static bool IsClearedByASwitch()
    {
        var mark = Find();
        if (!mark.IsUsable)
        {
            return false;
        }

        var switches = LinuxThreadClock.VoluntarySwitches();
        mark.Set();
        var time = new LinuxThreadClock.Timespec { Nanoseconds = 1000 };
        _ = Sleep(&time, null);
        var isCleared = !mark.IsSet;
        return isCleared && LinuxThreadClock.VoluntarySwitches() != switches;
    }

    // With glibc on x64 this is the address that the area's offset is relative to.
    [LibraryImport("libc", EntryPoint = "pthread_self")]
    private static partial nint PthreadSelf();

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int Sleep(LinuxThreadClock.Timespec* time, LinuxThreadClock.Timespec* rest);

    [StructLayout(LayoutKind.Sequential, Size = 32)]
    private struct Sequence
    {
        public uint Version;
        public uint Flags;
        public ulong Start;
        public ulong Length;
        public ulong Abort;
    }
}
