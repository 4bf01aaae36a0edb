using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Lets one sampler at a time run in the process, because each sample stops all of its threads.</summary>
internal static class SnapshotTurn
{
    private static int s_isTaken;

    /// <summary>Samples on a new thread, unless another sample is being taken.</summary>
    /// <param name="role">The purpose of the thread.</param>
    /// <param name="sample">Takes the sample. May throw.</param>
    /// <param name="atEnd">
    /// Runs when the turn is over, even if the sample failed. It doesn't run if the thread could not be started.
    /// </param>
    /// <returns>False when another sampler has the turn, or when no thread could be started.</returns>
    public static bool TryRun(OwnThreadRole role, Action sample, Action? atEnd = null)
    {
        if (Interlocked.CompareExchange(ref s_isTaken, 1, 0) != 0)
        {
            return false;
        }

        try
        {
            OwnThread.StartOnce(role, () => Run(sample, atEnd));
            return true;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            GiveBack();
            return false;
        }
    }

    private static void Run(Action sample, Action? atEnd)
    {
        try
        {
            sample();
        }
        finally
        {
            GiveBack();
            atEnd?.Invoke();
        }
    }

    private static void GiveBack() => Volatile.Write(ref s_isTaken, 0);
}
