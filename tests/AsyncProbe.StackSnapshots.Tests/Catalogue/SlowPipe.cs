using System.IO.Pipes;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>A file whose only byte comes late: a named pipe, which on Linux has a path in a folder.</summary>
internal static partial class SlowPipe
{
    /// <param name="read">Receives its path.</param>
    public static void With(Action<string> read)
    {
        var name = $"asyncprobe-{Guid.NewGuid():N}";
        if (OperatingSystem.IsWindows())
        {
            WithServer(name, read);
        }
        else
        {
            WithFifo(Path.Combine(Path.GetTempPath(), name), read);
        }
    }

    public static FileStream OpenToRead(string path) =>
        OperatingSystem.IsWindows() ? new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0) : OpenFifo(path);

    private static void WithServer(string name, Action<string> read)
    {
        using var server = new NamedPipeServerStream(name, PipeDirection.Out);
        WriteLate(() =>
        {
            server.WaitForConnection();
            Thread.Sleep(SlowSins.Ms);
            server.WriteByte((byte)'x');
            server.Disconnect();
        });
        read($@"\\.\pipe\{name}");
    }

    private static void WithFifo(string path, Action<string> read)
    {
        _ = MakeFifo(path, 0x180);
        try
        {
            WriteLate(() =>
            {
                Thread.Sleep(SlowSins.Ms);
                using var file = OpenFifo(path);
                file.WriteByte((byte)'x');
            });
            read(path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    // Opened for reading and writing; otherwise opening it would wait for the other end.
    private static FileStream OpenFifo(string path) => new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);

    private static void WriteLate(Action write) => new Thread(() =>
    {
        try
        {
            write();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The reader has stopped reading.
        }
    })
    { IsBackground = true }.Start();

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeFifo(string path, uint mode);
}
