using AsyncProbe.Common;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What became of the snapshots so far, whoever took them: they are taken in turn, so one thread at a time writes here.</summary>
internal sealed class SnapshotOutcomes(Faults faults, ILogger<Snapshots> logger)
{
    private bool _hasWarned;

    public int Taken { get; private set; }

    public int Failed { get; private set; }

    /// <summary>The last one that succeeded; null before the first.</summary>
    public SnapshotTime? Last { get; private set; }

    /// <summary>Why the last one failed; null when it did not.</summary>
    public string? Failure { get; private set; }

    public void OnTaken(DateTime at, Duration took)
    {
        Last = new SnapshotTime(at, took);
        Taken++;
        Failure = null;
    }

    /// <summary>Whatever a stack source throws, the host goes on; the reason is told once in the log, and in the report.</summary>
    /// <returns>The reason.</returns>
    public string OnFailure(Exception exception)
    {
        faults.Note(exception);
        Failed++;
        Failure = $"stack snapshots: {MessageOf(exception)}";
        Warn(Failure);
        return Failure;
    }

    /// <param name="reason">Why there are no snapshots; null when there are.</param>
    public void Warn(string? reason)
    {
        if (reason is not null && !_hasWarned)
        {
            _hasWarned = true;
            faults.Guard(() => Log.NoSnapshots(logger, reason));
        }
    }

    // Even the message may be somebody's code, and nothing may leave the snapshot's own thread.
    private static string MessageOf(Exception exception)
    {
        try
        {
            return exception.Message;
        }
        catch (Exception)
        {
            return exception.GetType().Name;
        }
    }
}
