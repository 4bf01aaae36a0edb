using System.Globalization;
using System.Net.Sockets;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Tests.Processes;

[Trait("Category", "Logic")]
public sealed class LeftFoldersTests : IDisposable
{
    private const string Ended = "asyncprobe-2000000000-1509268";

    private readonly TemporaryFolder _temp = new();

    public void Dispose() => _temp.Dispose();

    [Theory]
    [InlineData(Ended, true)]
    [InlineData("asyncprobe-start-BXolNy", false)]
    [InlineData("asyncprobe-2000000000", false)]
    [InlineData("shop-2000000000-1509268", false)]
    public void OldFolder_IsRemoved_OnlyIfItsNameIsThatOfAnEndedProcess(string name, bool isRemoved)
    {
        var folder = Old(name);

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(folder).ShouldBe(!isRemoved);
    }

    [Fact]
    public void Folder_Stays_WhileItsProcessRuns()
    {
        var process = ProcessEntry.Find(Environment.ProcessId)!;
        var folder = Old(string.Create(CultureInfo.InvariantCulture, $"asyncprobe-{process.Pid}-{process.StartTime}"));

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(folder).ShouldBeTrue();
    }

    [Fact]
    public void Folder_Stays_WhenItIsNew()
    {
        var folder = _temp.File(Ended);
        PrivateFolder.Create(folder, owner: null);

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(folder).ShouldBeTrue();
    }

    [Fact]
    public void Folder_Stays_WhenOthersCanReadIt()
    {
        if (OperatingSystem.IsWindows())
        {
            // Its folders have no such mode.
            return;
        }

        var folder = Old(Ended);
        File.SetUnixFileMode(folder, File.GetUnixFileMode(folder) | UnixFileMode.OtherRead);

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(folder).ShouldBeTrue();
    }

    [Fact]
    public void Folder_Stays_WhileAProbeListensInIt()
    {
        var folder = Old(Ended);
        using (var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            probe.Bind(new UnixDomainSocketEndPoint(Path.Combine(folder, "1.sock")));
            probe.Listen();
            Age(folder);
            LeftFolders.Remove(_temp.Path);
            Directory.Exists(folder).ShouldBeTrue();
        }

        // A probe that was killed leaves the name of its socket.
        File.WriteAllText(Path.Combine(folder, "1.sock"), "");
        Age(folder);
        LeftFolders.Remove(_temp.Path);
        Directory.Exists(folder).ShouldBeFalse();
    }

    private static void Age(string folder) => Directory.SetLastWriteTimeUtc(folder, DateTime.UtcNow.AddHours(-2));

    private string Old(string name)
    {
        var folder = _temp.File(name);
        PrivateFolder.Create(folder, owner: null);
        File.WriteAllText(Path.Combine(folder, "AsyncProbe.Hook.dll"), "");
        Age(folder);
        return folder;
    }
}
