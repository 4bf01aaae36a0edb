namespace AsyncProbe.Blocking.Sampling;

/// <summary>Who samples now: one in the process, because each sample stops all of its threads.</summary>
internal static class SnapshotTurn
{
    private static int s_isTaken;

    public static bool TryTake() => Interlocked.CompareExchange(ref s_isTaken, 1, 0) == 0;

    public static void GiveBack() => Volatile.Write(ref s_isTaken, 0);
}
