using AsyncProbe.Common;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>The outcomes of all snapshots so far. Snapshots are taken in turn, so one thread at a time writes here.</summary>
internal sealed class SnapshotOutcomes(Faults faults, ILogger<Snapshots> logger)
{
    private bool _hasWarned;

    public int Taken { get; private set; }

    public int Failed { get; private set; }

    /// <summary>The time of the last snapshot that succeeded; null before the first.</summary>
    public SnapshotTime? Last { get; private set; }

    /// <summary>Why the last snapshot failed; null when it succeeded.</summary>
    public string? Failure { get; private set; }

    public void OnTaken(DateTime at, Duration took)
    {
        Last = new SnapshotTime(at, took);
        Taken++;
        Failure = null;
    }

    /// <summary>
    /// Records a failure, because the host must survive anything that a stack source throws. The reason is logged once, and shown in the
    /// report.
    /// </summary>
    /// <returns>The reason.</returns>
    public string OnFailure(Exception exception)
    {
        faults.Note(exception);
        Failed++;
        Failure = $"stack snapshots: {MessageOf(exception)}";
        Warn(Failure);
        return Failure;
    }

    /// <param name="reason">Why snapshots are unavailable; null when they are available.</param>
    public void Warn(string? reason)
    {
        if (reason is not null && !_hasWarned)
        {
            _hasWarned = true;
            faults.Guard(() => Log.NoSnapshots(logger, reason));
        }
    }

    // Even the message may come from foreign code, and no exception may leave the snapshot's thread.
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
