namespace AsyncProbe.Faults.Tests;

/// <summary>The files of the host as it was built.</summary>
internal static class HostFiles
{
    /// <summary>Copies them into another folder, together with the folders of native libraries.</summary>
    /// <returns>The copies: folders first.</returns>
    public static IReadOnlyList<string> CopyTo(string target)
    {
        List<string> copies = [];
        foreach (var folder in Directory.EnumerateDirectories(FaultHostProcess.BuiltFolder, "*", SearchOption.AllDirectories))
        {
            copies.Add(Directory.CreateDirectory(In(target, folder)).FullName);
        }

        foreach (var file in Directory.EnumerateFiles(FaultHostProcess.BuiltFolder, "*", SearchOption.AllDirectories))
        {
            File.Copy(file, In(target, file));
            copies.Add(In(target, file));
        }

        return copies;
    }

    private static string In(string target, string path) => Path.Combine(target, Path.GetRelativePath(FaultHostProcess.BuiltFolder, path));
}
