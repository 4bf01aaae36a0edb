using System.Text.Json;
using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Attach.Tests;

/// <summary>Attaching to an application in a container: from its host, and from a debug container that shares its processes.</summary>
[Trait("Category", "Full")]
public sealed class ContainerTests
{
    private const int Root = 0;
    private const int User = 1654;

    [Theory]
    [InlineData(Root)]
    [InlineData(User)]
    public async Task EveryLine_IsNamed_FromTheHost(int user)
    {
        await using var container = await Container.StartAsync(user);
        string[] paths = ["/result", "/sleep", "/fast"];
        using (var probe = new AttachedReport(container.Pid))
        {
            container.Folders.ShouldHaveSingleItem();
            await using var load = new ShopLoad(container.Client, clients: 2, paths);
            await Eventually.TrueAsync(
                () =>
                {
                    var lines = probe.Read().Sites.Select(site => $"{Path.GetFileName(site.File)}:{site.Line}").ToHashSet();
                    return lines.Contains(BlockingLines.All["/result"]) && lines.Contains(BlockingLines.All["/sleep"]);
                },
                () => string.Join('\n', probe.Read().Sites),
                ChildProcess.Timeout);
            load.Failures.ShouldBeEmpty();
        }

        await Eventually.TrueAsync(() => container.Folders.Length == 0, () => "still attached", ChildProcess.Timeout);
        (await container.TextAsync("/fast")).ShouldBe("fast");
    }

    [Theory]
    [InlineData(Root)]
    [InlineData(User)]
    public async Task BlockingLine_IsNamed_FromADebugContainer(int user)
    {
        await using var container = await Container.StartAsync(user);
        await using var load = new ShopLoad(container.Client, clients: 2, "/result");

        // The same processes as in the container, but other files: the target's are only below /proc/1/root.
        var output = await Commands.RunAsync(
            Repository.Folder,
            Commands.WithoutAnalyzers,
            "nsenter", "--target", container.Pid, "--pid", "--net", "unshare", "--mount", "--fork", "sh", "-e", "-c",
            "mount --make-rprivate /; mount -t proc proc /proc; exec dotnet \"$0\" attach 1 -s 8 --json --quiet", AsyncProbeCommand.Program);

        var seen = JsonDocument.Parse(output).RootElement;
        seen.GetProperty("replicas")[0].GetProperty("name").GetString().ShouldStartWith("Shop (pid 1, ");
        seen.GetProperty("sites").EnumerateArray().Select(site => site.GetProperty("at").GetString()!)
            .ShouldContain(at => at.Contains(BlockingLines.All["/result"], StringComparison.Ordinal), output);
        await Eventually.TrueAsync(() => container.Folders.Length == 0, () => "still attached", ChildProcess.Timeout);
    }

    [Fact]
    public async Task FolderThatBecameReadOnly_IsRefused()
    {
        await using var container = await Container.StartAsync(User);
        await container.RunInsideAsync("mount", "-o", "remount,ro", "/tmp");

        await RefusalTests.RefusesAsync(["attach", container.Pid], "cannot be written, and the process could not load anything from it");

        LoadedParts.Of(container.Pid).ShouldBeEmpty();
    }
}
