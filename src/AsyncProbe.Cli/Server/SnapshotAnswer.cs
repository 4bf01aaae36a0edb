namespace AsyncProbe.Cli.Server;

/// <summary>The result of looking at the server once.</summary>
/// <param name="Snapshot">Null when neither the report nor the lifeline answered.</param>
/// <param name="FromLifeline">Whether the lifeline answered instead of the report.</param>
/// <param name="Sentence">Where the snapshot comes from; without one, why there is none.</param>
/// <param name="IsFinal">Whether asking again won't help, because the certificate is not trusted.</param>
internal sealed record SnapshotAnswer(ServerSnapshot? Snapshot, bool FromLifeline, string Sentence, bool IsFinal = false);
