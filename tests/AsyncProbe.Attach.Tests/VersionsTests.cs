using AsyncProbe.Packages.Tests;
using Mono.Cecil;

namespace AsyncProbe.Attach.Tests;

/// <summary>Several versions of AsyncProbe in one process. The process can't unload what one version of the tool has loaded.</summary>
public sealed class VersionsTests : IDisposable
{
    private const string Part = "attach/net10.0/AsyncProbe.StackSnapshots.dll";

    private static readonly Version s_otherVersion = new(99, 0, 0, 0);
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task NextVersionOfTheTool_IsLoadedBesideTheLastOne()
    {
        var next = Copy(AsyncProbeCommand.Program);
        Change(next, AddToPart);
        await using var shop = await ShopProcess.StartAsync();
        await using var load = new ShopLoad(shop.Client, clients: 1, "/sleep");

        foreach (var tool in (string[])[AsyncProbeCommand.Program, next, AsyncProbeCommand.Program, next])
        {
            (await AttachAsync(tool, shop)).ShouldContain("GET /sleep");
            await shop.BecomesFreeAsync();
        }

        (await LoadedAsync(shop, "AsyncProbe.Attach")).ShouldBe(2);
        (await LoadedAsync(shop, "AsyncProbe.Hook")).ShouldBe(1);
        load.Failures.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("--unused", 2)]
    [InlineData("--used", 2)]
    public async Task ApplicationWithAnotherVersionOfThePackage_IsMeasured(string use, int versions)
    {
        var shopWithPackage = Copy(ShopProcess.Built("AsyncProbe.PackageTarget", "ShopWithPackage.dll"));
        Change(_folder.File("AsyncProbe.dll"), assembly => assembly.Name.Version = s_otherVersion);
        await using var shop = await ShopProcess.RunAsync(shopWithPackage, [], use);
        await using var load = new ShopLoad(shop.Client, clients: 1, "/sleep");

        (await AttachAsync(AsyncProbeCommand.Program, shop)).ShouldContain("GET /sleep");

        (await LoadedAsync(shop, "AsyncProbe")).ShouldBe(versions);
        await shop.BecomesFreeAsync();
        load.Failures.ShouldBeEmpty();
    }

    /// <summary>A changed part has another content, as in another version.</summary>
    private static void AddToPart(AssemblyDefinition tool)
    {
        var resources = tool.MainModule.Resources;
        var part = resources.OfType<EmbeddedResource>().Single(resource => resource.Name == Part);
        resources[resources.IndexOf(part)] = new EmbeddedResource(Part, part.Attributes, [.. part.GetResourceData(), 0]);
    }

    private static void Change(string path, Action<AssemblyDefinition> change)
    {
        using var assembly = AssemblyDefinition.ReadAssembly(path, new() { InMemory = true });
        change(assembly);
        assembly.Write(path);
    }

    private static Task<string> AttachAsync(string tool, ShopProcess shop) => Commands.RunAsync(
        Path.GetTempPath(), Commands.WithoutAnalyzers, "dotnet", tool, "attach", shop.Pid, "-s", "3", "--json");

    private static async Task<int> LoadedAsync(ShopProcess shop, string name) =>
        (await shop.CountersAsync()).GetProperty("assemblies").EnumerateArray().Count(assembly => assembly.GetString() == name);

    /// <summary>Copies a built program with everything next to it.</summary>
    private string Copy(string program)
    {
        foreach (var file in Directory.GetFiles(Path.GetDirectoryName(program)!))
        {
            File.Copy(file, _folder.File(Path.GetFileName(file)));
        }

        return _folder.File(Path.GetFileName(program));
    }
}
