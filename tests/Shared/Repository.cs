namespace AsyncProbe.Tests.Shared;

/// <summary>The checkout that the tests were built in.</summary>
internal static class Repository
{
    public static string Folder { get; } = Find();

    private static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "AsyncProbe.sln")))
        {
            folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("The tests do not lie in the repository.");
        }

        return folder;
    }
}
