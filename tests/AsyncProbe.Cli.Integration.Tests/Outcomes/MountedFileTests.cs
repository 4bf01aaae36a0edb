using System.Diagnostics;
using AsyncProbe.Integration.Tests.Snapshots;

namespace AsyncProbe.Cli.Integration.Tests.Outcomes;

/// <summary>A file that is mounted by itself, as containers do. It can be written, but no other file can take its place.</summary>
public sealed class MountedFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [MountFact]
    public async Task Result_IsWrittenToIt()
    {
        var (volume, mounted) = (_folder.Write("volume", "earlier"), _folder.Write("mounted.json", "earlier"));
        var tool = Path.Combine(AppContext.BaseDirectory, "asyncprobe.dll");

        using var process = Process.Start(
            "unshare", ["-m", "sh", "-c", $"mount --bind {volume} {mounted} && dotnet exec {tool} observe http://127.0.0.1:1 -o {mounted}"]);
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(1));

        // Nothing answers there, and the result says so.
        process.ExitCode.ShouldBe(3);
        File.ReadAllText(volume).ShouldContain("127.0.0.1:1");
        Directory.GetFiles(_folder.Path, "*.part").ShouldBeEmpty();
    }
}
