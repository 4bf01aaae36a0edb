using System.Globalization;

namespace AsyncProbe.Packages.Tests;

/// <summary>
/// A newcomer's machine: a home folder that contains only a copy of the repository, with its packages built there. All files in the copy
/// use a different port for the sample, because 5080 may be in use.
/// </summary>
public sealed class Clone : IAsyncLifetime
{
    /// <summary>The collection of the tests that share a copy.</summary>
    public const string Collection = "A copy of the repository";

    private const string UsualPort = "5080";

    private static readonly string[] s_leftOut =
    [
        ".git", "bin", "obj", "artifacts", "node_modules", "TestResults", "BenchmarkDotNet.Artifacts", "StrykerOutput", "out",
    ];
    private static readonly string[] s_binary = [".png", ".ico", ".svg", ".gz"];

    /// <summary>The home folder.</summary>
    public string Home { get; } = Directory.CreateTempSubdirectory("asyncprobe-home-").FullName;

    /// <summary>The copy.</summary>
    public string Folder => Path.Combine(Home, "asyncprobe");

    /// <summary>The folder of the packages.</summary>
    public string Packages => Path.Combine(Folder, "artifacts", "packages");

    /// <summary>The only file of a package, or of its symbols. Other packages have names that begin with its name.</summary>
    public string Package(string id, string extension) =>
        Directory.GetFiles(Packages, $"{id}.*.{extension}").Single(file => char.IsAsciiDigit(Path.GetFileName(file)[id.Length + 1]));

    /// <summary>The port of the sample in the copy.</summary>
    public string Port { get; } = FreePort.Take().ToString(CultureInfo.InvariantCulture);

    /// <summary>The environment of every command.</summary>
    public IReadOnlyDictionary<string, string> Environment => new Dictionary<string, string>
    {
        ["HOME"] = Home,
        ["DOTNET_CLI_HOME"] = Home,
        ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
        ["DOTNET_NOLOGO"] = "1",
        ["DOTNET_GENERATE_ASPNET_CERTIFICATE"] = "false",

        // A build node would keep the output open, and the test would wait for it. The compiler's server doesn't, and saves minutes.
        ["MSBUILDDISABLENODEREUSE"] = "1",
        ["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0",
        ["UseSharedCompilation"] = "true",
    };

    /// <inheritdoc/>
    public async Task InitializeAsync()
    {
        Copy(new DirectoryInfo(Repository.Folder), Folder);
        Directory.CreateDirectory(Packages);
        TakeOver(".nuget/NuGet/NuGet.Config");

        // Pack as CI packs the published packages. The repository's dependencies may come from the existing cache; packages made here go
        // to the cache in the new home.
        await RunAsync(
            Folder,
            new Dictionary<string, string>(Commands.WithoutAnalyzers) { ["NUGET_PACKAGES"] = Cache, ["CI"] = "true" },
            Printed.Journeys.Pack);
    }

    /// <summary>The package cache of the user who runs the tests.</summary>
    public static string Cache => System.Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } folder
        ? folder
        : Path.Combine(System.Environment.GetFolderPath(System.Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>Runs a shell script to its end and returns its output.</summary>
    public Task<string> RunAsync(string folder, IReadOnlyDictionary<string, string>? environment, string script) =>
        Commands.RunAsync(folder, With(environment), "bash", "-c", script);

    /// <summary>The environment, with the requested additions.</summary>
    public IReadOnlyDictionary<string, string> With(IReadOnlyDictionary<string, string>? environment) =>
        environment is null ? Environment : new Dictionary<string, string>(Environment.Concat(environment));

    /// <inheritdoc/>
    public Task DisposeAsync()
    {
        Directory.Delete(Home, recursive: true);
        return Task.CompletedTask;
    }

    // The machine decides where packages come from.
    private void TakeOver(string file)
    {
        var own = Path.Combine(System.Environment.GetFolderPath(System.Environment.SpecialFolder.UserProfile), file);
        if (File.Exists(own))
        {
            var copy = Path.Combine(Home, file);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(own, copy);
        }
    }

    private void Copy(DirectoryInfo from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in from.GetFiles().Where(file => file.LinkTarget is null))
        {
            var copy = Path.Combine(to, file.Name);
            file.CopyTo(copy);
            if (!s_binary.Contains(file.Extension))
            {
                var text = File.ReadAllText(copy);
                if (text.Contains(UsualPort, StringComparison.Ordinal))
                {
                    File.WriteAllText(copy, text.Replace(UsualPort, Port, StringComparison.Ordinal));
                }
            }
        }

        foreach (var folder in from.GetDirectories().Where(folder => !s_leftOut.Contains(folder.Name)))
        {
            Copy(folder, Path.Combine(to, folder.Name));
        }
    }
}

/// <summary>The tests that share a copy.</summary>
[CollectionDefinition(Clone.Collection)]
public sealed class CloneUsers : ICollectionFixture<Clone>;
