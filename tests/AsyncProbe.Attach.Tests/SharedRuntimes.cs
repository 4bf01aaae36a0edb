using System.Globalization;
using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Attach.Tests;

/// <summary>
/// An installation of .NET with an older framework, for machines that have only the newest. Its files come from the packages
/// that self-contained applications are published with.
/// </summary>
internal static class SharedRuntimes
{
    private static readonly string[] s_frameworks = ["Microsoft.NETCore.App", "Microsoft.AspNetCore.App"];
    private static readonly Lazy<Task<string>> s_packages = new(PackagesAsync);
    private static readonly Lock s_lock = new();

    /// <summary>The <c>dotnet</c> that runs applications for a version of .NET.</summary>
    public static async Task<string> DotnetAsync(int major)
    {
        if (major == Environment.Version.Major)
        {
            return "dotnet";
        }

        // Publishing restores the packages.
        await new Form(major, Form.SelfContained).CommandAsync("AsyncProbe.AttachTarget", "Shop");
        var packages = await s_packages.Value;
        var folder = Path.Combine(Repository.Folder, "artifacts", "runtimes", $"dotnet-{major}");
        lock (s_lock)
        {
            var dotnet = Path.Combine(folder, "dotnet");
            if (!File.Exists(dotnet))
            {
                CopyHost(folder);
                foreach (var framework in s_frameworks)
                {
                    CopyFramework(packages, framework, major, folder);
                }

                // Last, because it says that the folder is complete.
                File.Copy(Path.Combine(Installed, "dotnet"), dotnet);
            }

            return dotnet;
        }
    }

    /// <summary>Where the .NET of these tests is installed.</summary>
    private static string Installed => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", ".."));

    private static void CopyHost(string folder)
    {
        var host = Path.Combine("host", "fxr", Environment.Version.ToString());
        Copy(Path.Combine(Installed, host), Path.Combine(folder, host));
    }

    private static void CopyFramework(string packages, string name, int major, string folder)
    {
        var package = Directory.GetDirectories(
                Path.Combine(packages, $"{name}.Runtime.linux-x64".ToLowerInvariant()), string.Create(CultureInfo.InvariantCulture, $"{major}.0.*"))
            .MaxBy(path => Version.Parse(Path.GetFileName(path)))!;
        var files = Path.Combine(package, "runtimes", "linux-x64");
        var target = Path.Combine(folder, "shared", name, Path.GetFileName(package));
        Copy(Path.Combine(files, "lib", $"net{major}.0"), target);
        if (Directory.Exists(Path.Combine(files, "native")))
        {
            Copy(Path.Combine(files, "native"), target);
        }
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.GetFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)), overwrite: true);
        }
    }

    private static async Task<string> PackagesAsync()
    {
        var answer = await Commands.RunAsync(
            Repository.Folder, Commands.WithoutAnalyzers, "dotnet", "nuget", "locals", "global-packages", "--list");
        return answer[(answer.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
