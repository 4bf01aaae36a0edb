using System.Globalization;

namespace AsyncProbe.Attach;

/// <summary>What the tool asks for, in the file that it leaves in its folder.</summary>
internal sealed record AttachOptions
{
    /// <summary>Its first line is the version's folder, which the hook reads; then come words, one a line.</summary>
    private const string FileName = "attach";

    /// <summary>The folder, for the socket and what the tool should know.</summary>
    public required string Folder { get; init; }

    /// <summary>Whether the probe stays when the last tool has gone.</summary>
    public bool IsKept { get; init; }

    /// <summary>Whether responses carry the probe's headers.</summary>
    public bool HasHeaders { get; init; }

    /// <summary>Whether other processes use the folder too, so that only the tool may remove it.</summary>
    public bool IsShared { get; init; }

    /// <summary>Whether it only watches the pool until that starves.</summary>
    public bool WaitsForStarvation { get; init; }

    /// <summary>Where the probe listens. The process's number is part of it, because a folder may serve several processes.</summary>
    public string Socket => Path.Combine(Folder, string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}.sock"));

    public static AttachOptions Read(string folder)
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

    /// <summary>Leaves no files behind. Assemblies that were loaded from there stay loaded.</summary>
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
            // Windows keeps loaded files, or the tool was faster.
        }
    }
}
