namespace AsyncProbe.Tests;

/// <summary>
/// The trait of tests that need no server, no clock and no second thread. They take milliseconds, so they are the ones that mutation
/// tests run thousands of times (tests/mutation).
/// </summary>
internal static class Logic
{
    public const string Category = "Category";
    public const string Name = "Logic";
}
