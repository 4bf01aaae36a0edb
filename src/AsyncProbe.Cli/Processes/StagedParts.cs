using System.Reflection;
using System.Security.Cryptography;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Processes;

/// <summary>The assemblies that the tool injects into a process. They are resources of the tool, named after their place.</summary>
internal static class StagedParts
{
    public const string Hook = "AsyncProbe.Hook.dll";

    /// <summary>The file whose first line names the version's folder. The settings follow, one a line.</summary>
    private const string Request = "attach";

    private const string Prefix = "attach/";

    private static Assembly Assembly => typeof(StagedParts).Assembly;

    /// <summary>Copies the assemblies to a process's private folder.</summary>
    /// <param name="folder">The folder, as seen from here.</param>
    /// <param name="inside">The same folder as the process sees it.</param>
    /// <param name="owner">The process's user.</param>
    /// <param name="settings">What the probe should do.</param>
    /// <exception cref="ProcessException">They cannot be copied there.</exception>
    public static void Stage(string folder, string inside, uint? owner, AttachSettings settings)
    {
        PrivateFolder.Create(folder, owner);
        try
        {
            var builds = Assembly.GetManifestResourceNames()
                .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && name != Prefix + Hook)
                .Order(StringComparer.Ordinal)
                .Select(name => (Name: name[Prefix.Length..], Content: Read(name)))
                .GroupBy(file => Path.GetDirectoryName(file.Name)!)
                .ToList();
            var version = Version(builds.SelectMany(build => build.Select(file => file.Content)));
            PrivateFolder.CreateInside(Path.Combine(folder, version), owner);
            foreach (var build in builds)
            {
                PrivateFolder.CreateInside(Path.Combine(folder, version, build.Key), owner);
                foreach (var (name, content) in build)
                {
                    PrivateFolder.Write(Path.Combine(folder, version, name), content, owner);
                }
            }

            PrivateFolder.Write(Path.Combine(folder, Hook), Read(Prefix + Hook), owner);
            var words = string.Join('\n', [version, .. settings.Words]);
            PrivateFolder.Write(Path.Combine(folder, Request), System.Text.Encoding.UTF8.GetBytes(words), owner);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ProcessException($"The process could not read what it should load from {inside}: {e.Message}", e);
        }
    }

    /// <summary>Whether a folder still holds what the hook needs.</summary>
    public static bool AreIn(string folder) => File.Exists(Path.Combine(folder, Hook)) && File.Exists(Path.Combine(folder, Request));

    private static byte[] Read(string resource)
    {
        using var stream = Assembly.GetManifestResourceStream(resource)!;
        var content = new byte[stream.Length];
        stream.ReadExactly(content);
        return content;
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
