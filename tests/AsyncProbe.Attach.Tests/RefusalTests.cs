using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;

namespace AsyncProbe.Attach.Tests;

/// <summary>Processes that can't be attached to: the tool prints one sentence, returns an exit code and leaves nothing behind.</summary>
public sealed class RefusalTests
{
    [Fact]
    public async Task ProcessThatIsGone_IsRefused() =>
        await RefusesAsync(["attach", "2000000000"], "Process 2000000000 does not exist.");

    [Fact]
    public async Task UnknownName_IsRefused() =>
        await RefusesAsync(["attach", "NoSuchApplication"], "No .NET process is named \"NoSuchApplication\".");

    [Fact]
    public async Task OtherProgram_IsRefused()
    {
        using var sleep = Process.Start("sleep", "60");
        try
        {
            await RefusesAsync(["attach", Pid(sleep)], "is not a .NET process.");
        }
        finally
        {
            sleep.Kill();
        }
    }

    [Fact]
    public async Task TwoOfOneName_AreRefused()
    {
        await using var one = await ShopProcess.StartAsync();
        await using var other = await ShopProcess.StartAsync();

        await RefusesAsync(["attach", "Shop"], "processes are named Shop: name one by its number");
    }

    [Fact]
    public async Task SwitchedOffDiagnostics_AreRefused()
    {
        await using var shop = await ShopProcess.RunAsync(
            ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["DOTNET_EnableDiagnostics"] = "0" });

        await RefusesAsync(["attach", shop.Pid], "diagnostics are switched off");
    }

    [Fact]
    public async Task SwitchedOffStartupHooks_AreRefused_AsInTrimmedApps()
    {
        var built = Path.GetDirectoryName(ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"))!;
        var copy = Directory.CreateTempSubdirectory("attach-trimmed-").FullName;
        foreach (var file in Directory.GetFiles(built))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }

        var settings = Path.Combine(copy, "Shop.runtimeconfig.json");
        var json = JsonNode.Parse(await File.ReadAllTextAsync(settings))!;
        json["runtimeOptions"]!["configProperties"]!["System.StartupHookProvider.IsSupported"] = false;
        await File.WriteAllTextAsync(settings, json.ToJsonString());
        await using (var shop = await ShopProcess.RunAsync(Path.Combine(copy, "Shop.dll"), []))
        {
            await RefusesAsync(["attach", shop.Pid], "StartupHookSupport");
            shop.Folders.ShouldBeEmpty();
        }

        Directory.Delete(copy, recursive: true);
    }

    [Fact]
    public async Task ConsoleApplication_IsRefused()
    {
        using var console = Process.Start(new ProcessStartInfo("dotnet", [ToolPath, "observe", "http://127.0.0.1:1", "--live", "-s", "60"])
        {
            RedirectStandardError = true, RedirectStandardOutput = true,
        })!;
        try
        {
            // A .NET process without ASP.NET Core.
            await RefusesAsync(["attach", Pid(console)], "asyncprobe", "process");
        }
        finally
        {
            console.Kill();
        }
    }

    private static string ToolPath => Path.Combine(
        Repository.Folder, "src", "AsyncProbe.Cli", "bin",
        Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "..", ".."), AppContext.BaseDirectory), "asyncprobe.dll");

    private static string Pid(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    private static async Task RefusesAsync(string[] arguments, params string[] texts)
    {
        var command = await AsyncProbeCommand.RunAsync(arguments);
        command.ExitCode.ShouldBe(3, command.Messages + command.Results);
        command.Results.ShouldBeEmpty();
        var sentence = command.Messages.Trim();
        sentence.Split('\n').ShouldHaveSingleItem();
        texts.ShouldContain(text => sentence.Contains(text, StringComparison.Ordinal), sentence);
    }
}
