using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Stacks;

namespace AsyncProbe.Attach.Tests;

/// <summary>Looking at an application from outside.</summary>
public sealed class LookTests
{
    private static readonly Dictionary<string, string> s_kinds = new()
    {
        ["/result"] = "Task.Result", ["/late"] = "Task.Wait", ["/controller"] = "Task.GetResult", ["/sleep"] = "Sleep", ["/lock"] = "Lock",
        ["/fail"] = "Task.Wait", ["/dispose"] = "Sleep",
    };

    private static readonly string[] s_others = ["/fast", "/async", "/cpu"];

    [Fact]
    public async Task EveryBlockingLine_IsNamed_AndNothingIsLoaded()
    {
        await using var shop = await ShopProcess.StartAsync();
        string[] paths = [.. s_kinds.Keys, .. s_others];
        foreach (var path in paths)
        {
            // The first request really waits elsewhere, too: for a type's initializer and for the symbols in the stack of an exception.
            (await shop.Client.GetAsync(new Uri(path, UriKind.Relative))).Dispose();
        }

        await using var load = new ShopLoad(shop.Client, clients: 2, paths);
        await using var contention = new ShopLoad(shop.Client, clients: 3, "/lock");
        Dictionary<string, BlockedLine> seen = [];

        // A window sees what blocks at that moment, so look until every line has been seen.
        await Eventually.TrueAsync(
            () =>
            {
                foreach (var line in Look(shop))
                {
                    seen[$"{Path.GetFileName(line.File)}:{line.Line}"] = line;
                }

                return s_kinds.Keys.All(path => seen.ContainsKey(BlockingLines.All[path]));
            },
            () => string.Join('\n', seen.Values),
            ChildProcess.Timeout);

        foreach (var (path, kind) in s_kinds)
        {
            seen[BlockingLines.All[path]].Kind.ShouldBe(kind, path);
            seen[BlockingLines.All[path]].BlockedMs.ShouldBeGreaterThan(0, path);
        }

        var known = s_kinds.Keys.Select(path => BlockingLines.All[path]).ToHashSet();
        seen.Where(line => line.Value.File is not null && !known.Contains(line.Key)).Select(line => line.Value).ShouldBeEmpty();
        var command = await AsyncProbeCommand.RunAsync("look", shop.Pid, "-s", "1", "--json");
        command.ExitCode.ShouldBe(0, command.Messages);
        var json = command.Json;
        json.GetProperty("kind").GetString().ShouldBe("look");
        json.GetProperty("process").GetProperty("name").GetString().ShouldBe("Shop");
        json.GetProperty("sampledMs").GetDouble().ShouldBeGreaterThan(0);
        (await shop.CountersAsync()).GetProperty("assemblies").EnumerateArray().Select(name => name.GetString()!)
            .ShouldNotContain(name => name.StartsWith("AsyncProbe", StringComparison.Ordinal));
        shop.Folders.ShouldBeEmpty();
        load.Failures.ShouldBeEmpty();
    }

    [Fact]
    public async Task StarvedPool_IsSeen_WhenEveryThreadIsDeadlocked()
    {
        await using var shop = await ShopProcess.RunAsync(
            ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["DOTNET_ThreadPool_ForceMaxWorkerThreads"] = "10" });
        using var stuck = new CancellationTokenSource();
        var requests = Enumerable.Range(0, 40).Select(_ => shop.Client.GetAsync(new Uri("/starve", UriKind.Relative), stuck.Token)).ToArray();
        BlockedLine[] seen = [];

        // The variable is a hexadecimal number: sixteen threads, all at one line. The pool may still grow during the first windows.
        await Eventually.TrueAsync(
            () => (seen = [.. Look(shop)]) is [{ Threads: > 15.5 } one] && one.Hits % 16 == 0,
            () => string.Join('\n', seen.AsEnumerable()),
            ChildProcess.Timeout);

        seen[0].At.ShouldContain(BlockingLines.All["/starve"]);
        await stuck.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(Task.WhenAll(requests));
    }

    [Theory]
    [InlineData("2000000000", "does not exist")]
    [InlineData("NoSuchApplication", "No .NET process is named")]
    [InlineData("1", "not a .NET process")]
    public async Task ProcessThatCannotBeLookedAt_IsRefused(string process, string reason)
    {
        var command = await AsyncProbeCommand.RunAsync("look", process);

        command.ExitCode.ShouldBe(3);
        command.Results.ShouldBeEmpty();
        command.Messages.Trim().ShouldContain(reason);
        command.Messages.Trim().Split('\n').ShouldHaveSingleItem();
    }

    private static IReadOnlyList<BlockedLine> Look(ShopProcess shop) =>
        new StackLook(DotnetProcesses.Find(shop.Pid)).Take(TimeSpan.FromSeconds(2), CancellationToken.None).Lines;
}
