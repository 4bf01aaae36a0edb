using System.Runtime.Versioning;

namespace AsyncProbe.Cli.Tests.Outcomes;

/// <summary>How the files of -o and --save come to be.</summary>
[SideBySide]
[UnsupportedOSPlatform("windows")]
public sealed class WrittenFilesTests : IDisposable
{
    private const string Session = "GET http://127.0.0.1:1/ HTTP/1.1\nAccept: text/html\n";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>The folder isn't writable, or the part can't be made in it for another reason.</summary>
    [Fact]
    public async Task File_IsWrittenInPlace_WhenNothingCanBeMadeNextToIt()
    {
        await using var server = await TestServer.StartAsync();
        var (result, saved) = (_folder.Write("result.md", "earlier"), _folder.Write("saved.json", "earlier"));
        Directory.CreateDirectory(result + ".part");

        var tool = await Tool.RunAsync("run", server.Url + "/plain", "--once", "-o", result, "--save", saved);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        File.ReadAllText(result).ShouldContain("/plain");
        File.ReadAllText(saved).ShouldContain("/plain");
        Directory.Exists(result + ".part").ShouldBeTrue();
    }

    [Fact]
    public async Task File_ThatIsALink_StaysOne()
    {
        var (target, session) = (_folder.Write("target.http", "earlier"), _folder.Write("session.websurge", Session));
        var link = File.CreateSymbolicLink(_folder.File("link.http"), target).FullName;

        (await Tool.RunAsync("export", session, "-o", link)).ExitCode.ShouldBe(0);

        new FileInfo(link).LinkTarget.ShouldBe(target);
        File.ReadAllText(target).ShouldContain("127.0.0.1:1");
    }

    [Fact]
    public async Task File_StaysItsOwnersOnly()
    {
        var session = _folder.Write("session.websurge", Session);
        var target = _folder.Write("target.http", "earlier");
        File.SetUnixFileMode(target, UnixFileMode.UserRead | UnixFileMode.UserWrite);

        (await Tool.RunAsync("export", session, "-o", target)).ExitCode.ShouldBe(0);

        File.ReadAllText(target).ShouldContain("127.0.0.1:1");
        File.GetUnixFileMode(target).ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }

    [Fact]
    public async Task Files_AreWritten_AlthoughAnotherOneFails()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        // Opening it works, and writing to it doesn't.
        var full = File.CreateSymbolicLink(_folder.File("full.json"), "/dev/full").FullName;
        var (result, saved, state) = (_folder.File("result.md"), _folder.File("saved.json"), _folder.File("state.sarif"));

        var run = await Tool.RunAsync("run", server.Url + "/plain", "--once", "-o", full, "-o", result, "--save", saved);
        var report = await Tool.RunAsync("report", server.Url, "-o", full, "-o", state);

        foreach (var tool in (Tool[])[run, report])
        {
            tool.ExitCode.ShouldBe(2);
            tool.Messages.ShouldContain("No space left on device");
        }

        File.ReadAllText(result).ShouldContain("/plain");
        File.ReadAllText(saved).ShouldContain("/plain");
        File.ReadAllText(state).ShouldContain("sarif");
    }
}
