using System.Runtime.CompilerServices;

namespace AsyncProbe.TruthServer;

/// <summary>A library's method that waits, for those who hand methods over.</summary>
public static class Slow
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Wait20(int item) => Task.Delay(20).Wait();
}
