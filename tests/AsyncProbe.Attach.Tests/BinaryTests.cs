using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Attach.Tests;

/// <summary>The command as one file, as <c>make binaries</c> publishes it, for machines without .NET.</summary>
public sealed class BinaryTests
{
    private static readonly Dictionary<string, string> s_withoutDotnet = new() { ["PATH"] = "", ["DOTNET_ROOT"] = "" };

    [Fact]
    [Trait("Category", "Full")]
    public async Task Binary_NamesTheLines_WithoutDotnet()
    {
        var folder = Path.Combine(Repository.Folder, "artifacts", "binaries", "linux-x64");
        await Commands.RunAsync(
            Repository.Folder,
            Commands.WithoutAnalyzers,
            "dotnet", "publish", "src/AsyncProbe.Cli", "-c", "Release", "-r", "linux-x64", "-p:Binary=true", "-o", folder, "-v:q", "-nodeReuse:false");
        Directory.GetFileSystemEntries(folder).Select(Path.GetFileName).ShouldBe(["asyncprobe", "THIRD-PARTY-NOTICES.txt"], ignoreOrder: true);
        await using var shop = await ShopProcess.StartAsync();
        await using var load = new ShopLoad(shop.Client, clients: 2, "/sleep", "/result");

        foreach (var verb in (string[])["attach", "look"])
        {
            var output = await Commands.RunAsync(
                Path.GetTempPath(), s_withoutDotnet, Path.Combine(folder, "asyncprobe"), verb, shop.Pid, "-s", "5", "--json");

            output.ShouldContain(BlockingLines.All["/sleep"]);
            output.ShouldContain(BlockingLines.All["/result"]);
        }

        await shop.BecomesFreeAsync();
        load.Failures.ShouldBeEmpty();
    }
}
