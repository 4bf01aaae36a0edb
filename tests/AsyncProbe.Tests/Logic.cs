namespace AsyncProbe.Tests;

/// <summary>
/// The trait of tests that need no server, no clock and no second thread. They take milliseconds, so mutation testing can run them
/// thousands of times (tests/mutation).
/// </summary>
internal static class Logic
{
    public const string Category = "Category";
    public const string Name = "Logic";
}
