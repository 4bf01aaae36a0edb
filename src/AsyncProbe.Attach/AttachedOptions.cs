using System.Globalization;

namespace AsyncProbe.Attach;

/// <summary>The tool's settings, from a file in its folder.</summary>
internal sealed record AttachedOptions
{
    /// <summary>The first line is the version's folder, which the hook reads; the settings follow, one word a line.</summary>
    private const string FileName = "attach";

    /// <summary>The folder for the socket and for messages to the tool.</summary>
    public required string Folder { get; init; }

    /// <summary>Whether the probe stays after the last tool has disconnected.</summary>
    public bool IsKept { get; init; }

    /// <summary>Whether responses have the probe's headers.</summary>
    public bool HasHeaders { get; init; }

    /// <summary>Whether other processes use the folder, so that only the tool may remove it.</summary>
    public bool IsShared { get; init; }

    /// <summary>Whether it only watches the pool until it is starved.</summary>
    public bool WaitsForStarvation { get; init; }

    /// <summary>Where the probe listens. The name includes the process id, because several processes may share a folder.</summary>
    public string Socket => Path.Combine(Folder, string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}.sock"));

    public static AttachedOptions Read(string folder)
    {
        var lines = File.ReadAllLines(Path.Combine(folder, FileName));
        return new()
        {
            Folder = folder,
            IsKept = lines.Contains("keep"),
            HasHeaders = lines.Contains("headers"),
            IsShared = lines.Contains("shared"),
            WaitsForStarvation = lines.Contains("when-starved"),
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
