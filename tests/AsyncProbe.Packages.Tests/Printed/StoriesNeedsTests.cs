using System.Diagnostics;

namespace AsyncProbe.Packages.Tests.Printed;

/// <summary>The output of <c>make stories</c> before it begins.</summary>
public sealed class StoriesNeedsTests : IDisposable
{
    private readonly string _path = Directory.CreateTempSubdirectory("asyncprobe-path-").FullName;

    [Fact]
    public async Task Stories_NameTheProgramsThatAreMissing()
    {
        Install("python3");

        var (code, said) = await AskAsync();

        code.ShouldBe(1);
        said.ShouldContain("not installed: dotnet hey.");
    }

    [Fact]
    public async Task Stories_SayNothing_WhenAllAreThere()
    {
        Install("dotnet", "python3", "hey");

        (await AskAsync()).ShouldBe((0, ""));
    }

    public void Dispose() => Directory.Delete(_path, recursive: true);

    private void Install(params string[] programs)
    {
        foreach (var file in programs.Select(program => Path.Combine(_path, program)))
        {
            File.WriteAllText(file, "");
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
            }
        }
    }

    private async Task<(int Code, string Said)> AskAsync()
    {
        var start = new ProcessStartInfo("/bin/sh", [Path.Combine(Repository.Folder, "benchmarks", "stories", "needs")])
        {
            RedirectStandardError = true,
        };
        start.Environment["PATH"] = _path;
        using var process = Process.Start(start).ShouldNotBeNull();
        var said = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, said.Trim());
    }
}
