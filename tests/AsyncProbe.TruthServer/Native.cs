using System.Runtime.InteropServices;

namespace AsyncProbe.TruthServer;

/// <summary>A library's call to native code that waits.</summary>
public static partial class Native
{
    public static void Sleep(int ms) => _ = Poll(0, 0, ms);

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(nint descriptors, nuint count, int timeout);
}
