using System.Runtime.CompilerServices;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Sleeps at a known line.</summary>
internal static class Sleeper
{
    private const int StepMs = 200;

    public static int Line { get; private set; }

    /// <summary>Sleeps until a test has seen enough.</summary>
    public static void UntilSet(ManualResetEventSlim end)
    {
        while (!end.IsSet)
        {
            Line = Here() + 1;
            Thread.Sleep(StepMs);
        }
    }

    private static int Here([CallerLineNumber] int line = 0) => line;
}
