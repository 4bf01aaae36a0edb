namespace AsyncProbe.Rules;

/// <summary>A library whose asynchronous methods make a thread wait, so that await frees none.</summary>
/// <param name="Behavior">What it does, as the predicate of a sentence about it.</param>
/// <param name="Relief">What helps instead, as the end of a sentence.</param>
/// <param name="Help">The section of docs/blocking.md about it.</param>
internal sealed record SynchronousProvider(string Name, string Behavior, string Relief, string Help)
{
    /// <summary>.NET's files on Linux and macOS, where it calls the operating system on a pool thread instead of the caller's.</summary>
    public static SynchronousProvider Files { get; } = new(
        ".NET's file I/O", "makes another pool thread wait in its asynchronous methods", "fewer and larger operations help",
        HelpSections.Files);

    /// <summary>A database provider that the caller doesn't know by name.</summary>
    public static SynchronousProvider SomeDatabase { get; } = Database("the database provider");

    public bool IsDatabase => Help == HelpSections.Provider;

    public static SynchronousProvider Database(string name) =>
        new(name, "waits in its asynchronous methods too", "fewer or shorter commands help", HelpSections.Provider);
}
