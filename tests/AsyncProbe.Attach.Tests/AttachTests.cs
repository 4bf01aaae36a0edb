using System.Text.Json;

namespace AsyncProbe.Attach.Tests;

/// <summary>Attaching to an application that doesn't contain AsyncProbe.</summary>
public sealed class AttachTests
{
    private static readonly string[] s_blocking = ["/result", "/late", "/controller", "/sleep", "/fail", "/dispose"];
    private static readonly string[] s_others = ["/fast", "/async", "/cpu"];

    [Fact]
    public async Task EveryBlockingLine_IsNamed_AsThePackageNamesIt()
    {
        await using var shop = await ShopProcess.StartAsync();
        await using var withPackage = await ShopProcess.StartWithPackageAsync();
        await using var load = new ShopLoad(shop.Client, clients: 2, [.. s_blocking, .. s_others]);
        await using var sameLoad = new ShopLoad(withPackage.Client, clients: 2, [.. s_blocking, .. s_others]);

        // Sampling sees what blocks at that moment, so observe until every line has been seen. A verdict depends on the machine's load, so
        // observe both at the same time, and again where the load of one was another.
        JsonElement attached = default, package = default;
        await Eventually.TrueAsync(
            async () =>
            {
                var observations = await Task.WhenAll(ObserveAsync(shop), ObserveAsync(withPackage));
                (attached, package) = (observations[0], observations[1]);
                return s_blocking.All(path => Sites(attached).Exists(at => at.Contains(BlockingLines.All[path], StringComparison.Ordinal)))
                    && s_blocking.Concat(s_others).All(path => Told(attached, path) == Told(package, path));
            },
            () => $"{string.Join('\n', Sites(attached))}\nattached: {attached}\nthe package: {package}",
            ChildProcess.Timeout);

        attached.GetProperty("replicas")[0].GetProperty("name").GetString().ShouldStartWith($"Shop (pid {shop.Pid}, .NET 10.");
        load.Failures.ShouldBeEmpty();
        await shop.BecomesFreeAsync();
    }

    // An awaited request is "fine" instead of "alreadyAsync" while its process waits for a core, and each of the two waits by itself.
    private static string? Told(JsonElement observation, string path) =>
        Verdict(observation, path) is var verdict && verdict == "alreadyAsync" ? "fine" : verdict;

    [Fact]
    public async Task AppWithPackage_IsReadThroughItsOwnReport()
    {
        await using var shop = await ShopProcess.StartWithPackageAsync();
        await shop.TextAsync("/fast");

        await using var load = new ShopLoad(shop.Client, clients: 1, "/fast");
        await ObserveAsync(shop, seconds: 2);

        // Only the package's own report contains what was counted before the attach.
        (await shop.ReportAsync()).GetProperty("endpoints").EnumerateArray()
            .ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /fast");
        (await shop.CountersAsync()).GetProperty("assemblies").EnumerateArray().Count(name => name.GetString() == "AsyncProbe.StackSnapshots")
            .ShouldBe(1);
    }

    [Fact]
    public async Task AppThatDoesNotUseItsPackage_IsMeasured()
    {
        await using var shop = await ShopProcess.StartWithPackageAsync("--unused");
        await using var load = new ShopLoad(shop.Client, clients: 1, "/fast");

        var seen = await ObserveAsync(shop, seconds: 3);

        seen.GetProperty("endpoints").EnumerateArray().ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /fast");
    }

    [Fact]
    public async Task StuckRequests_AreNamed_WhenEveryPoolThreadIsDeadlocked()
    {
        // Sixteen threads wait for a timer that would need a seventeenth.
        await using var shop = await ShopProcess.RunAsync(
            ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["DOTNET_ThreadPool_ForceMaxWorkerThreads"] = "10" });
        using var stuck = new CancellationTokenSource();
        var requests = Enumerable.Range(0, 40).Select(_ => shop.Client.GetAsync(new Uri("/starve", UriKind.Relative), stuck.Token)).ToArray();
        await Eventually.TrueAsync(
            async () => await Task.WhenAny(shop.TextAsync("/fast"), Task.Delay(2000)) is Task<string> == false, () => "never starved");

        // The first snapshot compiles its own code and reads the symbols, so it may come after an observation.
        JsonElement seen = default;
        await Eventually.TrueAsync(
            async () =>
            {
                seen = await ObserveAsync(shop, seconds: 4);
                return seen.GetProperty("findings").EnumerateArray()
                    .Any(finding => finding.GetString()!.Contains(BlockingLines.All["/starve"], StringComparison.Ordinal));
            },
            () => seen.ToString(),
            ChildProcess.Timeout);
        await stuck.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(Task.WhenAll(requests));
    }

    [Fact]
    public async Task Probe_Detaches_WhenTheToolIsKilled()
    {
        await using var shop = await ShopProcess.StartAsync();
        using var tool = System.Diagnostics.Process.Start(
            new System.Diagnostics.ProcessStartInfo("dotnet", [AsyncProbeCommand.Program, "attach", shop.Pid, "-s", "600"])
            {
                RedirectStandardOutput = true, RedirectStandardError = true,
            })!;
        await tool.StandardError.ReadLineAsync().WaitAsync(ChildProcess.Timeout);
        shop.Folders.ShouldHaveSingleItem();

        tool.Kill();

        await shop.BecomesFreeAsync();
        (await shop.TextAsync("/fast")).ShouldBe("fast");
    }

    [Fact]
    public async Task KeptProbe_Stays_UntilItIsDetached()
    {
        await using var shop = await ShopProcess.StartAsync();
        (await AsyncProbeCommand.RunAsync("attach", shop.Pid, "-s", "1", "--keep", "--json")).ExitCode.ShouldBe(0);
        (await AsyncProbeCommand.RunAsync("ps")).Results.Split('\n')
            .ShouldContain(line => line.Contains(shop.Pid, StringComparison.Ordinal) && line.Contains("attached", StringComparison.Ordinal));

        (await AsyncProbeCommand.RunAsync("detach", shop.Pid)).ExitCode.ShouldBe(0);

        await shop.BecomesFreeAsync();
        (await AsyncProbeCommand.RunAsync("detach", shop.Pid)).ExitCode.ShouldBe(3);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ActivitiesAndContexts_AreTheSame_WithAndWithoutTheProbe(bool logging)
    {
        const int Requests = 50;
        await using var shop = await ShopProcess.StartAsync(logging ? ["--logging", "--Logging:LogLevel:Default=Warning"] : []);
        var without = await CountAsync(shop, Requests);
        using (var probe = new AttachedReport(shop))
        {
            var with = await CountAsync(shop, Requests);

            with.Activities.ShouldBe(without.Activities);

            // A stall of the machine looks like a wait. Then the endpoint's next requests carry the hook.
            if (await probe.ArmedEndpointsAsync() == 0)
            {
                with.Contexts.ShouldBe(without.Contexts);
            }
        }

        await shop.BecomesFreeAsync();
        (await CountAsync(shop, Requests)).ShouldBe(without);
    }

    private static async Task<(long Activities, long Contexts)> CountAsync(ShopProcess shop, int requests)
    {
        await shop.CountersAsync();
        for (var i = 0; i < requests; i++)
        {
            await shop.TextAsync(i % 2 == 0 ? "/fast" : "/async");
        }

        var counters = await shop.CountersAsync();
        return (counters.GetProperty("activities").GetInt64(), counters.GetProperty("contexts").GetInt64());
    }

    private static async Task<JsonElement> ObserveAsync(ShopProcess shop, int seconds = 10)
    {
        var command = await AsyncProbeCommand.RunAsync(
            "attach", shop.Pid, "-s", seconds.ToString(System.Globalization.CultureInfo.InvariantCulture), "--json");
        command.ExitCode.ShouldBe(0, command.Messages + command.Results);
        return command.Json;
    }

    private static List<string> Sites(JsonElement observation) =>
        [.. observation.GetProperty("sites").EnumerateArray().Select(site => site.GetProperty("at").GetString()!)];

    private static string? Verdict(JsonElement observation, string path) => observation.GetProperty("endpoints").EnumerateArray()
        .Single(row => row.GetProperty("endpoint").GetString() == "GET " + path).GetProperty("verdict").GetString();
}
