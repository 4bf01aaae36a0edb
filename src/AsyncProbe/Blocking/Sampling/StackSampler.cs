using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Runs the jobs that sample stacks. Each job has its own thread, because a starved pool must be sampled too and the watcher must not
/// wait. One job at a time runs in the process, because each sample stops all of its threads.
/// </summary>
internal sealed class StackSampler(GuardedSource source, SnapshotOutcomes outcomes)
{
    private static int s_isTaken;

    /// <summary>Whether stacks may be taken automatically. While a debugger is attached, its user would notice the pauses.</summary>
    public bool IsAllowed => !Debugger.IsAttached && source.Available is not null;

    /// <summary>
    /// Whether a job runs somewhere in the process. What it has seen isn't counted yet, although the requests that it saw may have ended.
    /// </summary>
    public static bool IsBusy => Volatile.Read(ref s_isTaken) != 0;

    /// <summary>Samples on a new thread, unless another job runs.</summary>
    /// <param name="role">The purpose of the thread.</param>
    /// <param name="job">Takes the stacks. The host must survive anything that a stack source throws, so the job may throw.</param>
    /// <param name="onFailure">Receives the reason when the job has thrown.</param>
    /// <param name="atEnd">Runs when the next job may start, even after a failure, but not if the thread couldn't be started.</param>
    /// <returns>False without an available source, when another job runs, or when the thread couldn't be started.</returns>
    public bool TryRun(OwnThreadRole role, Action<IStackSource> job, Action<string>? onFailure = null, Action? atEnd = null)
    {
        if (source.Available is not { } available || Interlocked.CompareExchange(ref s_isTaken, 1, 0) != 0)
        {
            return false;
        }

        try
        {
            OwnThread.StartOnce(role, () => Run(available, job, onFailure, atEnd));
            return true;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            LetOthersRun();
            return false;
        }
    }

    private void Run(IStackSource available, Action<IStackSource> job, Action<string>? onFailure, Action? atEnd)
    {
        try
        {
            job(available);
        }
        catch (Exception e)
        {
            var reason = outcomes.OnFailure(e);
            onFailure?.Invoke(reason);
        }
        finally
        {
            LetOthersRun();
            atEnd?.Invoke();
        }
    }

    private static void LetOthersRun() => Volatile.Write(ref s_isTaken, 0);
}
