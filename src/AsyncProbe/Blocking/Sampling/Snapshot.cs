using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>One stack snapshot of the threads.</summary>
/// <param name="At">The time it was taken.</param>
/// <param name="Took">How long it took.</param>
/// <param name="Waits">The waits that were found, longest first.</param>
internal sealed record Snapshot(DateTime At, Duration Took, IReadOnlyList<SnapshotWait> Waits);

/// <summary>The answer to a person who asked for a snapshot.</summary>
/// <param name="Snapshot">The snapshot; null when none could be taken.</param>
/// <param name="Reason">Why there is none, as a sentence; null when there is one.</param>
internal sealed record SnapshotAnswer(Snapshot? Snapshot, string? Reason);

/// <summary>The time of a snapshot.</summary>
/// <param name="At">The time it began.</param>
/// <param name="Took">How long it took.</param>
internal sealed record SnapshotTime(DateTime At, Duration Took);
