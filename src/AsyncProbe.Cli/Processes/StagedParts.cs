using System.Security.Cryptography;

namespace AsyncProbe.Cli.Processes;

/// <summary>The assemblies that the tool injects into a process. They lie next to the tool, in the folder <c>attach</c>.</summary>
internal static class StagedParts
{
    public const string Hook = "AsyncProbe.Hook.dll";

    /// <summary>The file whose first line names the version's folder. The settings follow, one a line.</summary>
    private const string Request = "attach";

    private static readonly string[] s_builds = ["net8.0", "net10.0"];

    private static string Source { get; } = Path.Combine(AppContext.BaseDirectory, "attach");

    /// <summary>Copies the assemblies to a process's private folder.</summary>
    /// <param name="folder">The folder, as seen from here.</param>
    /// <param name="inside">The same folder as the process sees it.</param>
    /// <param name="owner">The process's user.</param>
    /// <param name="settings">What the probe should do.</param>
    /// <exception cref="AttachException">They cannot be copied there.</exception>
    public static void Stage(string folder, string inside, uint? owner, AttachSettings settings)
    {
        PrivateFolder.Create(folder, owner);
        try
        {
            var files = s_builds.SelectMany(build => Directory.EnumerateFiles(Path.Combine(Source, build), "*.dll"))
                .Order(StringComparer.Ordinal)
                .Select(file => (Name: Path.GetRelativePath(Source, file), Content: File.ReadAllBytes(file))).ToList();
            var version = Version(files.Select(file => file.Content));
            PrivateFolder.CreateInside(Path.Combine(folder, version), owner);
            foreach (var build in s_builds)
            {
                PrivateFolder.CreateInside(Path.Combine(folder, version, build), owner);
            }

            foreach (var (name, content) in files)
            {
                PrivateFolder.Write(Path.Combine(folder, version, name), content, owner);
            }

            PrivateFolder.Write(Path.Combine(folder, Hook), File.ReadAllBytes(Path.Combine(Source, Hook)), owner);
            var words = string.Join(
                '\n', version, settings.Keep ? "keep" : "", settings.Headers ? "headers" : "", settings.Shared ? "shared" : "",
                settings.WhenStarved ? "when-starved" : "");
            PrivateFolder.Write(Path.Combine(folder, Request), System.Text.Encoding.UTF8.GetBytes(words), owner);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AttachException($"The process could not read what it should load from {inside}: {e.Message}", e);
        }
    }

    // Each content gets its own folder and load context: two builds of the same version may differ.
    private static string Version(IEnumerable<byte[]> files)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var file in files)
        {
            hash.AppendData(file);
        }

        return Convert.ToHexString(hash.GetHashAndReset())[..16];
    }
}
