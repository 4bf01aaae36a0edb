using System.Globalization;

namespace AsyncProbe.Attach;

/// <summary>The tool's settings, from a file in its folder.</summary>
internal sealed record AttachedOptions
{
    /// <summary>The first line is the version's folder, which the hook reads; the settings follow, one word a line.</summary>
    private const string FileName = "attach";

    /// <summary>The folder for the socket and for messages to the tool.</summary>
    public required string Folder { get; init; }

    /// <summary>What the tool that loaded the probe asks for.</summary>
    public required ToolSettings Settings { get; init; }

    /// <summary>Whether other processes use the folder, so that only the tool may remove it.</summary>
    public bool IsShared { get; init; }

    /// <summary>Where the probe listens. The name includes the process id, because several processes may share a folder.</summary>
    public string Socket => Path.Combine(Folder, string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}.sock"));

    public static AttachedOptions Read(string folder)
    {
        var lines = File.ReadAllLines(Path.Combine(folder, FileName));
        return new()
        {
            Folder = folder,
            Settings = ToolSettings.Read(lines),
            IsShared = lines.Contains("shared"),
        };
    }

    /// <summary>Deletes the files. Assemblies that were loaded from the folder stay loaded.</summary>
    public void CleanUp()
    {
        try
        {
            File.Delete(Socket);
            if (!IsShared)
            {
                Directory.Delete(Folder, recursive: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Windows locks loaded files, or the tool has already deleted them.
        }
    }
}
