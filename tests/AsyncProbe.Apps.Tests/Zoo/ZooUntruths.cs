namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>
/// Wrong answers about the zoo that we know of, each with its reason. The test that runs the whole zoo fails when one of them becomes
/// right, so that it is removed, and when a different one goes wrong.
/// </summary>
internal static class ZooUntruths
{
    public static IReadOnlyList<KnownUntruth> Known { get; } = [];
}
