using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Tests.Processes;

[Trait("Category", "Logic")]
public sealed class PrivateFolderTests : IDisposable
{
    private readonly TemporaryFolder _temp = new();

    public void Dispose() => _temp.Dispose();

    // A probe that leaves removes the folder while the next tool looks at it. That tool once blamed another user.
    [Fact]
    public void Folder_IsCreatedAgain_WheneverItIsRemoved()
    {
        var folder = _temp.File("shop");
        using var end = new CancellationTokenSource();
        var removing = new Thread(() =>
        {
            while (!end.IsCancellationRequested)
            {
                PrivateFolder.Remove(folder);
            }
        });
        removing.Start();

        try
        {
            for (var i = 0; i < 2000; i++)
            {
                PrivateFolder.Create(folder, owner: null);
            }
        }
        finally
        {
            end.Cancel();
            removing.Join();
        }
    }

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
