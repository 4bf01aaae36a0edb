using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Attach.Tests;

/// <summary>A tool that waits next to a process until its pool starves. The liveness probe of a starved service then kills the process.</summary>
public sealed class WhenStarvedTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Evidence_IsWritten_WhenThePoolStarves_AndOutlivesTheProcess()
    {
        var file = _folder.File("starved.json");
        await using var shop = await SmallShopAsync();
        using var tool = await WatchAsync(shop, file);

        // Until then it follows no request.
        await shop.TextAsync("/sleep");
        (await shop.CountersAsync()).GetProperty("followed").GetBoolean().ShouldBeFalse();
        File.Exists(file).ShouldBeFalse();

        using var stuck = new CancellationTokenSource();
        var requests = Enumerable.Range(0, 40).Select(_ => shop.Client.GetAsync(new Uri("/starve", UriKind.Relative), stuck.Token)).ToArray();
        await Eventually.TrueAsync(
            () => File.Exists(file) && Findings(file).Any(finding => finding.Contains(BlockingLines.All["/starve"], StringComparison.Ordinal)),
            () => File.Exists(file) ? File.ReadAllText(file) : "nothing was written",
            ChildProcess.Timeout);
        shop.Kill();
        await tool.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);

        Findings(file).ShouldContain(finding => finding.Contains(BlockingLines.All["/starve"], StringComparison.Ordinal));
        await stuck.CancelAsync();
        await Should.ThrowAsync<Exception>(Task.WhenAll(requests));
    }

    [Fact]
    public async Task Record_SaysThatItWasInterrupted()
    {
        var file = _folder.File("starved.json");
        await using var shop = await SmallShopAsync();
        using var tool = await WatchAsync(shop, file, "-s", "600");
        using var stuck = new CancellationTokenSource();
        var requests = Enumerable.Range(0, 40).Select(_ => shop.Client.GetAsync(new Uri("/starve", UriKind.Relative), stuck.Token)).ToArray();
        await Eventually.TrueAsync(() => File.Exists(file), () => "nothing was written", ChildProcess.Timeout);

        // Ctrl+C sends another signal with the same effect, but a process in a shell's background ignores that one.
        await HeapOf.SignalAsync("-TERM", tool.Id.ToString(CultureInfo.InvariantCulture));
        await tool.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);

        tool.ExitCode.ShouldBe(130);
        using var json = JsonDocument.Parse(File.ReadAllText(file));
        json.RootElement.GetProperty("interrupted").GetBoolean().ShouldBeTrue();
        await stuck.CancelAsync();
        await Should.ThrowAsync<Exception>(Task.WhenAll(requests));
    }

    [Fact]
    public async Task Waiting_Ends_WhenTheProbeDoesNotAnswer()
    {
        await using var shop = await ShopProcess.StartAsync();
        using var attached = AttachedProcess.Attach(DotnetProcesses.Find(shop.Pid), new(WhenStarved: true), CancellationToken.None);
        // Another tool ends the probe.
        AttachedProcess.TryDetach(attached.Process).ShouldBeTrue();
        await shop.BecomesFreeAsync();
        var output = new Output(TextWriter.Null, TextWriter.Null, resultsAreTerminal: false, messagesAreTerminal: false);
        var target = new ReportTarget(
            output, Json: false, [_folder.File("starved.json")], Save: null, new(Annotate: false, Sources: null), Quiet: true);

        var recording = WhenStarved.RecordAsync(attached, new(target, [], null, 1, new()), output, CancellationToken.None);

        var failure = await Should.ThrowAsync<CommandException>(recording.WaitAsync(ChildProcess.Timeout));

        failure.ExitCode.ShouldBe(ExitCode.NothingMeasured);
        failure.Message.ShouldContain(attached.Process.Title);
    }

    private static Task<ShopProcess> SmallShopAsync() => ShopProcess.RunAsync(
        ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["DOTNET_ThreadPool_ForceMaxWorkerThreads"] = "10" });

    private static async Task<Process> WatchAsync(ShopProcess shop, string file, params string[] more)
    {
        var tool = Process.Start(
            new ProcessStartInfo("dotnet", [AsyncProbeCommand.Program, "attach", shop.Pid, "--when", "starved", "-o", file, .. more])
            {
                RedirectStandardOutput = true, RedirectStandardError = true,
            })!;
        (await tool.StandardError.ReadLineAsync().WaitAsync(ChildProcess.Timeout)).ShouldStartWith("Watching the pool of Shop");
        return tool;
    }

    private static List<string> Findings(string file)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(file));
        return [.. json.RootElement.GetProperty("findings").EnumerateArray().Select(finding => finding.GetString()!)];
    }
}
