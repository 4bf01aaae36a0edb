using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>A project published as a program that contains its runtime.</summary>
internal static class Published
{
    public static async Task<string> FolderAsync(string project, string framework, string system, params string[] properties)
    {
        var folder = Path.Combine(Repository.Folder, "artifacts", "runtimes", $"{Path.GetFileName(project)}-{framework}-{system}");
        await Commands.RunAsync(
            Repository.Folder,
            Commands.WithoutAnalyzers,
            [
                "dotnet", "publish", project, "-f", framework, "-r", system, "--self-contained", "-o", folder, "-v:q", "-nodeReuse:false",
                .. properties,
            ]);
        return folder;
    }
}
