using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What windows have seen of one site.</summary>
/// <param name="Length">For how long threads waited there.</param>
/// <param name="Hits">How many waits were met that the hook does not time.</param>
internal readonly record struct SeenTime(Duration Length, int Hits);
