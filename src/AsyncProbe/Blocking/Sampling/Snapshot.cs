using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>One look at the threads.</summary>
/// <param name="At">When.</param>
/// <param name="Took">How long it took.</param>
/// <param name="Waits">What was found to block, longest first.</param>
internal sealed record Snapshot(DateTime At, Duration Took, IReadOnlyList<SnapshotWait> Waits);

/// <summary>What a person who asked for a snapshot gets.</summary>
/// <param name="Snapshot">Null when none could be taken.</param>
/// <param name="Reason">Why, as a sentence; null when one was.</param>
internal sealed record SnapshotAnswer(Snapshot? Snapshot, string? Reason);

/// <summary>When a snapshot was taken.</summary>
/// <param name="At">When it began.</param>
/// <param name="Took">How long it took.</param>
internal sealed record SnapshotTime(DateTime At, Duration Took);
