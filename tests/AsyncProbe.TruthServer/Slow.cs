using System.Runtime.CompilerServices;

namespace AsyncProbe.TruthServer;

/// <summary>A library's method that waits, for rows that pass a method as a delegate.</summary>
public static class Slow
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Wait20(int item) => Task.Delay(20).Wait();
}
