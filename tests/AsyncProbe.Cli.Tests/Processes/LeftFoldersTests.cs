using System.Net.Sockets;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Tests.Processes;

[Trait("Category", "Logic")]
public sealed class LeftFoldersTests : IDisposable
{
    private readonly TemporaryFolder _temp = new();

    public void Dispose() => _temp.Dispose();

    [Theory]
    [InlineData("asyncprobe-42-1509268", true)]
    [InlineData("asyncprobe-start-BXolNy", true)]
    [InlineData("asyncprobe-home-3dY0iB", false)]
    [InlineData("asyncprobe-42", false)]
    [InlineData("shop-42-1509268", false)]
    public void OldFolder_IsRemoved_OnlyWithANameOfOurs(string name, bool isRemoved)
    {
        var folder = Old(name);

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(folder).ShouldBe(!isRemoved);
    }

    [Fact]
    public void Folder_Stays_WhenItIsNewOrOpenToOthers()
    {
        var recent = New("asyncprobe-42-1");
        var open = Directory.CreateDirectory(_temp.File("asyncprobe-42-2")).FullName;
        Age(open);

        LeftFolders.Remove(_temp.Path);

        Directory.Exists(recent).ShouldBeTrue();
        Directory.Exists(open).ShouldBeTrue();
    }

    [Fact]
    public void Folder_Stays_WhileAProbeListensInIt()
    {
        var folder = Old("asyncprobe-42-1509268");
        using (var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            probe.Bind(new UnixDomainSocketEndPoint(Path.Combine(folder, "42.sock")));
            probe.Listen();
            Age(folder);
            LeftFolders.Remove(_temp.Path);
            Directory.Exists(folder).ShouldBeTrue();
        }

        // A probe that was killed leaves the name of its socket.
        File.WriteAllText(Path.Combine(folder, "42.sock"), "");
        Age(folder);
        LeftFolders.Remove(_temp.Path);
        Directory.Exists(folder).ShouldBeFalse();
    }

    private static void Age(string folder) => Directory.SetLastWriteTimeUtc(folder, DateTime.UtcNow.AddHours(-2));

    private string Old(string name)
    {
        var folder = New(name);
        File.WriteAllText(Path.Combine(folder, "AsyncProbe.Hook.dll"), "");
        Age(folder);
        return folder;
    }

    private string New(string name)
    {
        var folder = _temp.File(name);
        PrivateFolder.Create(folder, owner: null);
        return folder;
    }
}
