using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncProbe.Integration.Tests.Snapshots.ShortWaits;

/// <summary>
/// A file system with one file whose every read takes a while: a thread of this process answers the kernel's requests at /dev/fuse. Needs
/// root.
/// </summary>
/// <remarks>The messages are defined in linux/fuse.h, version 7.</remarks>
internal sealed partial class FuseFile : IDisposable
{
    private const int HeaderLength = 40;
    private const int AnswerHeaderLength = 16;
    private const int AttributesLength = 88;
    private const ulong Root = 1;
    private const ulong File = 2;
    private const uint FolderMode = 0x4000 | 0x1ED;
    private const uint FileMode = 0x8000 | 0x124;
    private const ulong Size = 1 << 30;
    private const ulong Flags = 2 | 4;
    private const int Detach = 2;
    private const int NotImplemented = -38;
    private const int Interrupted = 4;

    // The kernel refuses to talk to a reader with a smaller buffer.
    private const int MostLength = (1 << 17) + 4096;

    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(20);

    private readonly SafeFileHandle _device;
    private readonly string _folder;

    private FuseFile(SafeFileHandle device, string folder)
    {
        (_device, _folder) = (device, folder);
        new Thread(Answer) { IsBackground = true, Name = "FUSE" }.Start();
    }

    public string Path => System.IO.Path.Combine(_folder, "slow");

    /// <summary>Returns null if mounting isn't permitted.</summary>
    public static FuseFile? TryMount()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess || !System.IO.File.Exists("/dev/fuse"))
        {
            return null;
        }

        SafeFileHandle? device = null;
        var folder = Directory.CreateTempSubdirectory("asyncprobe-fuse-").FullName;
        try
        {
            device = System.IO.File.OpenHandle("/dev/fuse", System.IO.FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            var options = $"fd={device.DangerousGetHandle()},rootmode=40000,user_id=0,group_id=0";
            if (Mount("asyncprobe", folder, "fuse", Flags, options) == 0)
            {
                return new FuseFile(device, folder);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The device exists, but may not be opened.
        }

        device?.Dispose();
        Directory.Delete(folder);
        return null;
    }

    public void Dispose()
    {
        // The kernel ends the connection, and with it the answering thread.
        _ = Unmount(_folder, Detach);
        Directory.Delete(_folder);
    }

    private void Answer()
    {
        var question = new byte[MostLength];
        while (true)
        {
            if (Read(_device, question, MostLength) < HeaderLength)
            {
                if (Marshal.GetLastPInvokeError() == Interrupted)
                {
                    continue;
                }

                // It is no longer mounted.
                _device.Dispose();
                return;
            }

            var (opcode, node) = ((Opcode)BinaryPrimitives.ReadUInt32LittleEndian(question.AsSpan(4)),
                BinaryPrimitives.ReadUInt64LittleEndian(question.AsSpan(16)));
            if (opcode is Opcode.Forget or Opcode.ForgetMany or Opcode.Interrupt)
            {
                continue;
            }

            var body = AnswerTo(opcode, node);
            var answer = new byte[AnswerHeaderLength + (body?.Length ?? 0)];
            BinaryPrimitives.WriteInt32LittleEndian(answer, answer.Length);
            BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(4), body is null ? NotImplemented : 0);
            question.AsSpan(8, 8).CopyTo(answer.AsSpan(8));
            body?.CopyTo(answer.AsSpan(AnswerHeaderLength));
            _ = Write(_device, answer, (nuint)answer.Length);
        }
    }

    private static byte[]? AnswerTo(Opcode opcode, ulong node)
    {
        switch (opcode)
        {
            case Opcode.Init:
                // Version 7.31, no extras, at most a page per write.
                return [.. Numbers(7, 31, 0, 0), .. Numbers(0, 4096, 1, 0), .. new byte[32]];
            case Opcode.LookUp:
                return [.. Long(File), .. Long(0), .. Long(0), .. Long(0), .. Long(0), .. Attributes(File)];
            case Opcode.GetAttributes:
                return [.. Long(0), .. Long(0), .. Attributes(node)];
            case Opcode.Open:
                // Every read comes here; none is answered from the kernel's cache.
                return [.. Long(0), .. Numbers(1, 0)];
            case Opcode.Read:
                Thread.Sleep(s_late);
                return "x"u8.ToArray();
            case Opcode.Release or Opcode.Flush or Opcode.Destroy:
                return [];
            default:
                return null;
        }
    }

    private static byte[] Attributes(ulong node)
    {
        byte[] all =
        [
            .. Long(node), .. Long(Size), .. new byte[44], .. Numbers(node == Root ? FolderMode : FileMode, 1),
            .. new byte[AttributesLength - 68],
        ];
        return all;
    }

    private static byte[] Long(ulong number) => BitConverter.GetBytes(number);

    private static IEnumerable<byte> Numbers(params uint[] numbers) => numbers.SelectMany(BitConverter.GetBytes);

    private enum Opcode : uint
    {
        LookUp = 1,
        Forget = 2,
        GetAttributes = 3,
        Open = 14,
        Read = 15,
        Release = 18,
        Flush = 25,
        Init = 26,
        Interrupt = 36,
        Destroy = 38,
        ForgetMany = 42,
    }

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Mount(string source, string target, string type, ulong flags, string data);

    [LibraryImport("libc", EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Unmount(string target, int flags);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    private static partial nint Read(SafeFileHandle file, byte[] buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint Write(SafeFileHandle file, byte[] buffer, nuint count);
}
