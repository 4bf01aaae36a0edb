using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncProbe.TruthServer;

/// <summary>A file whose first byte comes late: the reading end of a pipe.</summary>
public static partial class SlowFile
{
    public static FileStream Open(int ms)
    {
        Span<int> ends = stackalloc int[2];
        if (MakePipe(ref ends[0]) != 0)
        {
            throw new IOException("No pipe could be made.");
        }

        var writing = ends[1];
        Later.Do(ms, () =>
        {
            using var end = new FileStream(new SafeFileHandle(writing, ownsHandle: true), FileAccess.Write, bufferSize: 0);
            end.WriteByte((byte)'x');
        });
        return new FileStream(new SafeFileHandle(ends[0], ownsHandle: true), FileAccess.Read, bufferSize: 0);
    }

    [LibraryImport("libc", EntryPoint = "pipe")]
    private static partial int MakePipe(ref int ends);
}
