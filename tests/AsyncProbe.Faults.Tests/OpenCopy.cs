namespace AsyncProbe.Faults.Tests;

/// <summary>A copy of the fault host that any user may read.</summary>
internal sealed class OpenCopy : IDisposable
{
    private const UnixFileMode ForAll = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    private OpenCopy(string path) => Path = path;

    public string Path { get; }

    public static OpenCopy Create()
    {
        var folder = Directory.CreateTempSubdirectory("asyncprobe-faults-").FullName;
        File.SetUnixFileMode(folder, ForAll);
        foreach (var copy in HostFiles.CopyTo(folder))
        {
            File.SetUnixFileMode(copy, ForAll);
        }

        return new OpenCopy(folder);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
