using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Packages.Tests;

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
        LoadedParts.Of(one.Pid).Concat(LoadedParts.Of(other.Pid)).ShouldBeEmpty();
    }

    [Fact]
    public async Task SwitchedOffDiagnostics_AreRefused()
    {
        await using var shop = await ShopProcess.RunAsync(
            ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["DOTNET_EnableDiagnostics"] = "0" });

        await RefusesAsync(["attach", shop.Pid], "diagnostics are switched off");
        LoadedParts.Of(shop.Pid).ShouldBeEmpty();
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
            LoadedParts.Of(shop.Pid).ShouldBeEmpty();
        }

        Directory.Delete(copy, recursive: true);
    }

    [Theory]
    [Trait("Category", "Full")]
    [InlineData("trimmed", "StartupHookSupport")]
    [InlineData("native", "Native AOT", "-p:NativeAot=true")]
    public async Task PublishedApplication_IsRefused(string name, string reason, params string[] properties)
    {
        var folder = Path.Combine(Repository.Folder, "artifacts", "runtimes", $"refused-{name}");
        await Commands.RunAsync(
            Repository.Folder,
            Commands.WithoutAnalyzers,
            [
                "dotnet", "publish", "tests/AsyncProbe.Trimmed", "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "-o", folder,
                "--artifacts-path", folder + "-build", "-v:q", "-nodeReuse:false", .. properties,
            ]);
        await using var app = await ShopProcess.RunAsync([Path.Combine(folder, "AsyncProbe.Trimmed")]);
        await RefusesAsync(["attach", app.Pid], reason);

        // The application contains the package, but neither of these.
        LoadedParts.Of(app.Pid).ShouldNotContain(name => name.StartsWith("AsyncProbe.Hook", StringComparison.Ordinal)
            || name.StartsWith("AsyncProbe.Attach", StringComparison.Ordinal));
        app.Folders.ShouldBeEmpty();
        await app.TextAsync("/wait");
    }

    [Fact]
    public async Task ConsoleApplication_IsRefused()
    {
        await using var console = await ShopProcess.RunWorkerAsync(["dotnet", ShopProcess.Built("AsyncProbe.ConsoleTarget", "Sums.dll")]);

        await RefusesAsync(["attach", console.Pid], "is not an ASP.NET Core application");
    }

    [Theory]
    [InlineData("7.0.20", "is older than .NET 8, the first runtime that can be attached to.")]
    [InlineData("", "is older than .NET 6 and cannot be attached to.")]
    public async Task OlderRuntime_IsRefused(string version, string reason)
    {
        await using var old = await OldRuntime.StartAsync(version);

        await RefusesAsync(["attach", old.Pid], reason);

        // The tool asked for the runtime's version, and for nothing else.
        old.Commands.ShouldAllBe(command => command == "4 4" || command == "4 0");
        Directory.GetDirectories(Path.GetTempPath(), $"asyncprobe-{old.Pid}-*").ShouldBeEmpty();
    }

    [Fact]
    public async Task FolderOfAnotherUser_IsRefused()
    {
        await using var shop = await ShopProcess.StartAsync();
        var folder = Path.Combine(Path.GetTempPath(), Path.GetFileName(PrivateFolderOf(shop)));
        Directory.CreateDirectory(folder);

        try
        {
            await RefusesAsync(["attach", shop.Pid], "belongs to another user, or is open to others");
            Directory.Exists(folder).ShouldBeTrue();
            LoadedParts.Of(shop.Pid).ShouldBeEmpty();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task FilesThatCannotBeWritten_AreSaidSo()
    {
        await using var shop = await ShopProcess.StartAsync();
        var folder = PrivateFolderOf(shop);
        Directory.CreateTempSubdirectory().MoveTo(folder);
        Directory.CreateDirectory(Path.Combine(folder, "attach"));

        await RefusesAsync(["attach", shop.Pid], "could not read what it should load");

        Directory.Exists(folder).ShouldBeFalse();
        LoadedParts.Of(shop.Pid).ShouldBeEmpty();
    }

    [Fact]
    public async Task ProbeThatCannotListen_SaysWhy()
    {
        await using var shop = await ShopProcess.StartAsync();
        var folder = PrivateFolderOf(shop);
        Directory.CreateTempSubdirectory().MoveTo(folder);
        Directory.CreateDirectory(Path.Combine(folder, shop.Pid + ".sock"));

        await RefusesAsync(["attach", shop.Pid], "System.UnauthorizedAccessException");

        Directory.Exists(folder).ShouldBeFalse();
        (await shop.TextAsync("/fast")).ShouldBe("fast");
        (await shop.CountersAsync()).GetProperty("followed").GetBoolean().ShouldBeFalse();
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task ProcessOfAnotherUser_IsRefused()
    {
        await using var shop = await ShopProcess.StartAsync();
        var tool = Directory.CreateTempSubdirectory("attach-tool-");
        await Commands.RunAsync(tool.FullName, Commands.WithoutAnalyzers, "cp", "-r", Path.GetDirectoryName(AsyncProbeCommand.Program)!, "tool");
        await Commands.RunAsync(tool.FullName, Commands.WithoutAnalyzers, "chmod", "-R", "a+rX", tool.FullName);

        // Only root can become someone else.
        using var command = Commands.Start(
            "/", Commands.WithoutAnalyzers, "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
            "dotnet", Path.Combine(tool.FullName, "tool", Path.GetFileName(AsyncProbeCommand.Program)), "attach", shop.Pid);
        var errors = await command.StandardError.ReadToEndAsync().WaitAsync(ChildProcess.Timeout);
        await command.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);

        command.ExitCode.ShouldBe(3, errors);
        errors.ShouldContain($"Process {shop.Pid} belongs to root");
        LoadedParts.Of(shop.Pid).ShouldBeEmpty();
        shop.Folders.ShouldBeEmpty();
        tool.Delete(recursive: true);
    }

    private static string PrivateFolderOf(ShopProcess shop) => ProcessFolders.Private(ProcessEntry.Find(shop.Process.Id)!);

    private static string Pid(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    internal static async Task RefusesAsync(string[] arguments, params string[] texts)
    {
        var command = await AsyncProbeCommand.RunAsync(arguments);
        command.ExitCode.ShouldBe(3, command.Messages + command.Results);
        command.Results.ShouldBeEmpty();
        var sentence = command.Messages.Trim();
        sentence.Split('\n').ShouldHaveSingleItem();
        texts.ShouldContain(text => sentence.Contains(text, StringComparison.Ordinal), sentence);
    }
}
