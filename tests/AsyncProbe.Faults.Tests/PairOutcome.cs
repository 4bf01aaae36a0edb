namespace AsyncProbe.Faults.Tests;

/// <summary>How a host came through a fault.</summary>
/// <param name="HasDied">Whether its process ended.</param>
/// <param name="IsOurs">Whether it ended by an exception with a frame of AsyncProbe.</param>
/// <param name="Wrong">The wrong or lost answers while it lasted.</param>
/// <param name="Answers">All answers while it lasted.</param>
/// <param name="HasRecovered">Whether every answer was right afterwards and, with AsyncProbe, the report complete.</param>
internal sealed record PairOutcome(bool HasDied, bool IsOurs, int Wrong, int Answers, bool HasRecovered);
