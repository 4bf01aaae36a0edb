using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What windows have seen at one site.</summary>
/// <param name="Length">How long threads waited there.</param>
/// <param name="Hits">How many waits were seen that the hook doesn't time.</param>
internal readonly record struct SeenTime(Duration Length, int Hits);
