namespace AsyncProbe.Cli.Server;

/// <summary>What a look at the server gave.</summary>
/// <param name="Snapshot">Null when neither the report nor the lifeline answered.</param>
/// <param name="FromLifeline">The report did not answer, and the lifeline did.</param>
/// <param name="Sentence">Where the snapshot is from; without one, why there is none.</param>
internal sealed record SnapshotAnswer(ServerSnapshot? Snapshot, bool FromLifeline, string Sentence);
