using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>The result of looking at the server once.</summary>
/// <param name="Snapshot">Null when neither the report nor the lifeline answered.</param>
/// <param name="Status">What became of the report itself.</param>
/// <param name="FromLifeline">Whether the lifeline answered instead of the report.</param>
/// <param name="Sentence">Where the snapshot comes from; without one, why there is none.</param>
internal sealed record ServerAnswer(ServerSnapshot? Snapshot, ServerStatus Status, bool FromLifeline, string Sentence);
