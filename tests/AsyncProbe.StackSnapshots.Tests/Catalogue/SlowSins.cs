using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using AsyncProbe.Tests.Blocking.Catalogue;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>
/// Ways to block that the wait hook does not see, long enough for a snapshot, each in the line after <see cref="Here.Next"/>.
/// </summary>
internal static partial class SlowSins
{
    public const int Ms = 2000;

    /// <summary>Ends the waits that never end.</summary>
    public static ManualResetEventSlim End { get; } = new();

    public static void Sleep()
    {
        Here.Next();
        Thread.Sleep(Ms);
    }

    public static void NativeWait()
    {
        Here.Next();
        _ = USleep(Ms * 1000);
    }

    public static void MarshalledNativeWait()
    {
        Here.Next();
        _ = Poll([], 0, Ms);
    }

    public static void SlowFile() => WithFifo(path =>
    {
        using var file = Open(path);
        Here.Next(nameof(SlowFile));
        file.ReadByte();
    });

    public static void SlowFileAsText() => WithFifo(path =>
    {
        Here.Next(nameof(SlowFileAsText));
        File.ReadAllText(path);
    });

    public static void StaticConstructor()
    {
        // A type for each call: a static constructor runs but once.
        var argument = SlowTypes.NextArgument();
        var type = typeof(SlowType<>).MakeGenericType(argument);
        new Thread(() => RuntimeHelpers.RunClassConstructor(type.TypeHandle)) { IsBackground = true }.Start();
        Eventually.Spin(() => SlowTypes.Entered.ContainsKey(argument));

        Here.Next();
        RuntimeHelpers.RunClassConstructor(type.TypeHandle);
    }

    public static void Hang()
    {
        Here.Next();
        End.Wait();
    }

    // Opened for reading and writing, or opening it would wait for the other end.
    private static FileStream Open(string path) => new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);

    private static void WithFifo(Action<string> read)
    {
        var path = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}");
        _ = MakeFifo(path, 0x180);
        try
        {
            new Thread(() =>
            {
                Thread.Sleep(Ms);
                using var file = Open(path);
                file.WriteByte((byte)'x');
            })
            { IsBackground = true }.Start();
            read(path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int USleep(uint microseconds);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(long[] descriptors, nuint count, int timeout);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeFifo(string path, uint mode);
}

internal static class SlowTypes
{
    private static readonly Lock s_lock = new();
    private static Type s_next = typeof(byte);

    /// <summary>Those whose static constructor runs or has run.</summary>
    public static ConcurrentDictionary<Type, bool> Entered { get; } = new();

    public static Type NextArgument()
    {
        lock (s_lock)
        {
            return s_next = s_next.MakeArrayType();
        }
    }
}

/// <summary>A type whose static constructor takes its time.</summary>
internal static class SlowType<T>
{
#pragma warning disable CA1810 // the static constructor is the point
    static SlowType()
    {
        SlowTypes.Entered[typeof(T)] = true;
        Thread.Sleep(SlowSins.Ms);
        Argument = typeof(T);
    }
#pragma warning restore CA1810

    public static Type Argument { get; }
}
