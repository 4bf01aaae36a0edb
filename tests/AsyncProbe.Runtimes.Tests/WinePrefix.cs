using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>A Windows of Wine's in a folder of its own, and the programs for it.</summary>
public sealed class WinePrefix : IAsyncLifetime
{
    private const string Windows = "win-x64";

    internal string Folder { get; } = Directory.CreateTempSubdirectory("asyncprobe-wine-").FullName;

    internal Dictionary<string, string> Environment { get; } = [];

    internal string Tests { get; private set; } = "";

    internal string Server { get; private set; } = "";

    internal string Command { get; private set; } = "";

    public async Task InitializeAsync()
    {
        Environment["WINEPREFIX"] = Path.Combine(Folder, "prefix");
        Environment["WINEDEBUG"] = "-all";

        // With it .NET maps its code twice, which Wine does not stand at a collection.
        Environment["DOTNET_EnableWriteXorExecute"] = "0";

        // With the two Wine would like to download its own .NET Framework and its browser. Here alone: .NET's own libraries need the
        // first.
        var boot = Commands.RunAsync(
            Folder, new Dictionary<string, string>(Environment) { ["WINEDLLOVERRIDES"] = "mscoree,mshtml=" }, "wineboot", "--init");
        Tests = await Published.FolderAsync("tests/AsyncProbe.Runtimes", "net10.0", Windows);
        Server = await Published.FolderAsync("tests/AsyncProbe.TestServer", "net10.0", Windows);
        Command = await Published.FolderAsync("src/AsyncProbe.Cli", "net10.0", Windows);
        await boot;
    }

    public async Task DisposeAsync()
    {
        // Ends what runs in this folder's Windows, and nothing else. It fails where nothing runs any more.
        using var end = Commands.Start(Folder, Environment, "wineserver", "--kill");
        await end.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
        await Eventually.TrueAsync(IsDeleted, "Wine still writes to its folder");
    }

    /// <summary>
    /// Waits until nothing runs here. Wine's server ends a moment after the last program, and a program that starts in that moment ends
    /// with it without a word.
    /// </summary>
    internal async Task SettleAsync()
    {
        using var wait = Commands.Start(Folder, Environment, "wineserver", "--wait");
        await wait.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
    }

    private bool IsDeleted()
    {
        try
        {
            Directory.Delete(Folder, recursive: true);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
