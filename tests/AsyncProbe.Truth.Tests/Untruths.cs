namespace AsyncProbe.Truth.Tests;

/// <summary>
/// What is known to be told wrongly, each with its reason. A test fails when one of them becomes right, so that it is struck, and when
/// another goes wrong.
/// </summary>
internal static class Untruths
{
    public static IReadOnlyList<KnownUntruth> Known { get; } = [];
}
