namespace AsyncProbe.Truth.Tests;

/// <summary>
/// Answers that are known to be wrong, each with its reason. A test fails when one of them becomes right, so that it is removed, and when
/// a different one goes wrong.
/// </summary>
internal static class Untruths
{
    public static IReadOnlyList<KnownUntruth> Known { get; } = [];
}
