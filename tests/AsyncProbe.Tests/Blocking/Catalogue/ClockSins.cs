using System.IO.Pipes;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Ways to block without a managed wait. The thread's clock counts them all the same.</summary>
internal static partial class ClockSins
{
    public static void Sleep()
    {
        Here.Next();
        Thread.Sleep(Sins.Ms);
    }

    public static void NativeWait()
    {
        if (OperatingSystem.IsWindows())
        {
            NativeSleep(Sins.Ms);
        }
        else
        {
            Here.Next();
            _ = USleep(Sins.Ms * 1000);
        }
    }

    public static void SlowFile()
    {
        if (OperatingSystem.IsWindows())
        {
            ReadPipe();
        }
        else
        {
            ReadFifo();
        }
    }

    private static void ReadPipe()
    {
        using var written = new AnonymousPipeServerStream(PipeDirection.Out);
        using var read = new AnonymousPipeClientStream(PipeDirection.In, written.ClientSafePipeHandle);
        OtherThread.Later(() => written.WriteByte(1), Waiter.HereInNativeCode());
        read.ReadByte();
    }

    private static void ReadFifo()
    {
        var path = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}");
        _ = MakeFifo(path, 0x180);
        try
        {
            // Opened for reading and writing; otherwise opening it would wait for the other end.
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
            OtherThread.Later(() => file.Write("x"u8));
            Here.Next(nameof(SlowFile));
            file.ReadByte();
        }
        finally
        {
            File.Delete(path);
        }
    }

    public static void StaticConstructor()
    {
        // A new type for each call, because a static constructor runs only once.
        var argument = SlowType.NextArgument();
        var type = typeof(SlowType<>).MakeGenericType(argument);
        new Thread(() => RuntimeHelpers.RunClassConstructor(type.TypeHandle)) { IsBackground = true }.Start();
        Eventually.Spin(() => SlowType.Entered.ContainsKey(argument));

        Here.Next();
        RuntimeHelpers.RunClassConstructor(type.TypeHandle);
    }

    [LibraryImport("kernel32", EntryPoint = "Sleep")]
    private static partial void NativeSleep(uint milliseconds);

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int USleep(uint microseconds);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeFifo(string path, uint mode);
}
