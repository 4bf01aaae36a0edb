using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Tests.Processes;

[Trait("Category", "Logic")]
public sealed class PrivateFolderTests : IDisposable
{
    private readonly TemporaryFolder _temp = new();

    public void Dispose() => _temp.Dispose();

    // Otherwise its files would lie in a folder that anyone can read.
    [Fact]
    public void FolderWithin_IsNotCreated_WhenThePrivateOneIsGone()
    {
        if (OperatingSystem.IsWindows())
        {
            // Its folders have no such mode.
            return;
        }

        Should.Throw<IOException>(() => PrivateFolder.CreateInside(Path.Combine(_temp.File("shop"), "version"), owner: null));

        Directory.Exists(_temp.File("shop")).ShouldBeFalse();
    }
}
