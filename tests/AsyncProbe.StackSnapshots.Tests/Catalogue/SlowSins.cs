using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using AsyncProbe.Tests.Blocking.Catalogue;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>
/// Ways to block that the wait hook doesn't see, long enough for a snapshot, each in the line after <see cref="Here.Next"/>.
/// </summary>
internal static partial class SlowSins
{
    public const int Ms = 2000;

    /// <summary>Ends the waits that would never end.</summary>
    public static ManualResetEventSlim End { get; } = new();

    public static void Sleep()
    {
        Here.Next();
        Thread.Sleep(Ms);
    }

    public static void NativeWait()
    {
        if (OperatingSystem.IsWindows())
        {
            Here.Next();
            NativeSleep(Ms);
        }
        else
        {
            Here.Next();
            _ = USleep(Ms * 1000);
        }
    }

    public static void MarshalledNativeWait()
    {
        if (OperatingSystem.IsWindows())
        {
            Here.Next();
            _ = NativeSleepEx(Ms, isAlertable: false);
        }
        else
        {
            Here.Next();
            _ = Poll([], 0, Ms);
        }
    }

    public static void SlowFile() => SlowPipe.With(path =>
    {
        using var file = SlowPipe.OpenToRead(path);
        Here.Next(nameof(SlowFile));
        file.ReadByte();
    });

    public static void SlowFileAsText() => SlowPipe.With(path =>
    {
        Here.Next(nameof(SlowFileAsText));
        File.ReadAllText(path);
    });

    public static void HttpClientSend()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, SlowUpstream.Address);
        Here.Next();
        using var response = SlowUpstream.Client.Send(request);
    }

    public static void StaticConstructor()
    {
        // A new type for each call, because a static constructor runs only once.
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

    [LibraryImport("kernel32", EntryPoint = "Sleep")]
    private static partial void NativeSleep(uint milliseconds);

    [LibraryImport("kernel32", EntryPoint = "SleepEx", SetLastError = true)]
    private static partial uint NativeSleepEx(uint milliseconds, [MarshalAs(UnmanagedType.Bool)] bool isAlertable);

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int USleep(uint microseconds);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(long[] descriptors, nuint count, int timeout);
}

internal static class SlowTypes
{
    private static Type s_last = typeof(byte);

    /// <summary>The types whose static constructor is running or has run.</summary>
    public static ConcurrentDictionary<Type, bool> Entered { get; } = new();

    public static Type NextArgument()
    {
        Type last, next;
        do
        {
            last = s_last;
            next = last.MakeArrayType();
        }
        while (Interlocked.CompareExchange(ref s_last, next, last) != last);
        return next;
    }
}

/// <summary>A type with a slow static constructor.</summary>
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
