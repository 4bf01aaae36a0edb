using System.Runtime.InteropServices;

namespace AsyncProbe.FaultHost;

/// <summary>Uses up the memory, descriptors or threads of the process.</summary>
internal static partial class Hog
{
    private const int Smallest = 400;
    private const int NumberOfProcesses = 6;
    private const ulong MostThreads = 1_000;

    private static readonly List<object> s_kept = [];

    /// <summary>Fills the heap until not even 400 bytes are free.</summary>
    public static void TakeMemory()
    {
        for (var size = 4_000_000; size >= Smallest; size /= 10)
        {
            TakeMemory(size);
        }
    }

    public static int TakeDescriptors()
    {
        try
        {
            while (true)
            {
                s_kept.Add(File.OpenHandle("/dev/null"));
            }
        }
        catch (IOException)
        {
            return s_kept.Count;
        }
    }

    public static void LetGo()
    {
        foreach (var kept in s_kept)
        {
            (kept as IDisposable)?.Dispose();
        }

        s_kept.Clear();
        GC.Collect();
    }

    /// <summary>From now on no thread can be started, except by the superuser.</summary>
    public static void ForbidThreads() => SetThreads(1);

    /// <summary>Threads can be started again.</summary>
    public static void AllowThreads() => SetThreads(MostThreads);

    private static unsafe void SetThreads(ulong most)
    {
        var limit = stackalloc ulong[2] { most, MostThreads };
        if (SetLimit(NumberOfProcesses, limit) != 0)
        {
            throw new InvalidOperationException("The limit of threads could not be set.");
        }
    }

    private static void TakeMemory(int size)
    {
        try
        {
            // Make the list large enough, because growing it would fail first.
            s_kept.EnsureCapacity(s_kept.Count + 100_000);
            while (s_kept.Count < s_kept.Capacity)
            {
                s_kept.Add(new byte[size]);
            }
        }
        catch (OutOfMemoryException)
        {
            // This is intended.
        }
    }

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    private static unsafe partial int SetLimit(int resource, ulong* limit);
}
