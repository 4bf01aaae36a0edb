namespace AsyncProbe.Truth.Tests;

/// <summary>
/// What is known to be told wrongly, each with its reason. A test fails when one of them becomes right, so that it is struck, and when
/// another goes wrong.
/// </summary>
internal static class Untruths
{
    public static IReadOnlyList<KnownUntruth> Known { get; } =
    [
        new("in Task\\.Run, .*Bare", Aspect.Site,
            "Where the wait is the last call of a lambda, optimised code may replace the lambda's frame by that of the call (a tail call). Under Task.Run nothing of the application is left on the stack then, and nobody is named.")
        {
            IsByChance = true,
        },
    ];
}
