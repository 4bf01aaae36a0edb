namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Lines of the test server that a comment marks.</summary>
internal static class MarkedLines
{
    /// <param name="file">A source file of the test server.</param>
    /// <param name="mark">The beginning of its comment, such as <c>waits</c>.</param>
    /// <param name="name">The name in its comment.</param>
    /// <exception cref="InvalidOperationException">No line has this comment.</exception>
    public static int Find(string file, string mark, string name)
    {
        var lines = File.ReadAllLines(Path.Combine(Repository.Folder, "tests", "AsyncProbe.TestServer", file));
        var index = Array.FindIndex(lines, l => l.EndsWith($"// {mark}: {name}", StringComparison.Ordinal));
        return index >= 0 ? index + 1 : throw new InvalidOperationException($"{file} has no line that ends with // {mark}: {name}.");
    }
}
