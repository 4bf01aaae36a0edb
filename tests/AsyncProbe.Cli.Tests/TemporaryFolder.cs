namespace AsyncProbe.Cli.Tests;

/// <summary>A folder that is deleted when the test ends.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly string _path = Directory.CreateTempSubdirectory("asyncprobe-cli-").FullName;

    public string File(string name) => Path.Combine(_path, name);

    public string Write(string name, string text)
    {
        System.IO.File.WriteAllText(File(name), text);
        return File(name);
    }

    public void Dispose() => Directory.Delete(_path, recursive: true);
}
