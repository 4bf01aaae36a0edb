using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>A Wine installation of Windows in its own folder, and the programs for it.</summary>
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

        // Otherwise .NET maps its code twice, and Wine fails at the next collection.
        Environment["DOTNET_EnableWriteXorExecute"] = "0";

        // Without this, Wine would download its own .NET Framework and its browser. Only here, because .NET's own libraries need the
        // first of the two.
        var boot = Commands.RunAsync(
            Folder, new Dictionary<string, string>(Environment) { ["WINEDLLOVERRIDES"] = "mscoree,mshtml=" }, "wineboot", "--init");
        Tests = await Published.FolderAsync("tests/AsyncProbe.Runtimes", "net10.0", Windows);
        Server = await Published.FolderAsync("tests/AsyncProbe.TestServer", "net10.0", Windows);
        Command = await Published.FolderAsync("src/AsyncProbe.Cli", "net10.0", Windows);
        await boot;
    }

    public async Task DisposeAsync()
    {
        // Ends the programs of this folder's Windows and no others. It fails if none is running any more.
        using var end = Commands.Start(Folder, Environment, "wineserver", "--kill");
        await end.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
        await Eventually.TrueAsync(IsDeleted, "Wine still writes to its folder");
    }

    /// <summary>
    /// Waits until nothing runs here. Wine's server ends a moment after the last program, and a program that starts in that moment ends
    /// with it silently.
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
