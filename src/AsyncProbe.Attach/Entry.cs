namespace AsyncProbe.Attach;

/// <summary>The hook calls this on a dedicated thread, for one tool after the other.</summary>
internal static class Entry
{
    /// <summary>Attaches, and returns after detaching.</summary>
    /// <param name="folder">The tool's private folder.</param>
    public static void Attach(string folder) => new Attachment(AttachedOptions.Read(folder)).Run();
}
