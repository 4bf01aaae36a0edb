namespace AsyncProbe.Cli.Processes;

/// <summary>The folder of a .NET SDK. The compiler, MSBuild, the test runner and the <c>dotnet</c> command itself run from there.</summary>
internal static class SdkFolder
{
    private const string Parent = "sdk";
    private const string Command = "dotnet.dll";

    public static bool Contains(string file)
    {
        for (var folder = Path.GetDirectoryName(file); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (Path.GetFileName(Path.GetDirectoryName(folder)) == Parent && File.Exists(Path.Combine(folder, Command)))
            {
                return true;
            }
        }

        return false;
    }
}
