using System.Text;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Attach.Tests;

/// <summary>Tools that attach to one process at once, or one right after the other.</summary>
public sealed class ManyToolsTests
{
    [Fact]
    public async Task TwoTools_ShareOneProbe()
    {
        await using var shop = await ShopProcess.StartAsync();
        await shop.TextAsync("/fast");
        using (var first = new AttachedReport(shop))
        using (var second = new AttachedReport(shop))
        {
            await shop.TextAsync("/fast");

            (await first.CountedAsync("GET /fast", 1)).ShouldBe(await second.CountedAsync("GET /fast", 1));
        }

        await shop.BecomesFreeAsync();
    }

    /// <summary>A tool next to the service waits for starvation. Others must not find a probe that measures nothing.</summary>
    [Fact]
    public async Task SecondTool_GetsMeasurements_WhenTheFirstWaitsForStarvation()
    {
        await using var shop = await ShopProcess.StartAsync();
        using (AttachedProcess.Attach(DotnetProcesses.Find(shop.Pid), new(WhenStarved: true), CancellationToken.None))
        {
            // Others may only look whether there is a probe.
            AttachedProcess.IsAttached(DotnetProcesses.Find(shop.Pid)).ShouldBeTrue();
            (await shop.CountersAsync()).GetProperty("followed").GetBoolean().ShouldBeFalse();
            using var second = new AttachedReport(shop);

            await shop.TextAsync("/fast");

            await second.CountedAsync("GET /fast", 1);
        }

        await shop.BecomesFreeAsync();
    }

    [Fact]
    public async Task SecondTool_GetsHeaders_AndLeavesThemToTheFirst()
    {
        await using var shop = await ShopProcess.StartAsync();
        using (var first = new AttachedReport(shop))
        {
            (await HasHeadersAsync(shop)).ShouldBeFalse();
            using (new AttachedReport(shop.Pid, headers: true))
            {
                (await HasHeadersAsync(shop)).ShouldBeTrue();
            }

            (await HasHeadersAsync(shop)).ShouldBeTrue();
        }

        await shop.BecomesFreeAsync();
        (await HasHeadersAsync(shop)).ShouldBeFalse();
    }

    [Fact]
    public async Task SecondTool_KeepsTheProbe()
    {
        await using var shop = await ShopProcess.StartAsync();
        await using var other = await ShopProcess.StartAsync();
        using (var first = new AttachedReport(shop))
        {
            AttachedProcess.Attach(first.Process, new(Keep: true), CancellationToken.None).Dispose();
        }

        // By then, this probe would have left as well.
        new AttachedReport(other).Dispose();
        await other.BecomesFreeAsync();

        AttachedProcess.IsAttached(DotnetProcesses.Find(shop.Pid)).ShouldBeTrue();
        AttachedProcess.TryDetach(DotnetProcesses.Find(shop.Pid)).ShouldBeTrue();
        await shop.BecomesFreeAsync();
    }

    [Fact]
    public async Task Tools_GetOneProbe_WhenTheyAttachAtOnce()
    {
        await using var shop = await ShopProcess.StartAsync();
        var probes = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => OnOwnThread(() => new AttachedReport(shop))));

        await shop.TextAsync("/fast");
        foreach (var probe in probes)
        {
            await probe.CountedAsync("GET /fast", 1);
        }

        Array.ForEach(probes, probe => probe.Dispose());
        await shop.BecomesFreeAsync();
    }

    [Fact]
    public async Task Tool_GetsAProbe_WhileTheLastOneLeaves()
    {
        const int Attempts = 16;
        const int LongestMs = 320;
        await using var shop = await ShopProcess.StartAsync();
        for (var i = 0; i < Attempts; i++)
        {
            using (var probe = new AttachedReport(shop))
            {
                await shop.TextAsync("/fast");
                await probe.CountedAsync("GET /fast", 1);
                AttachedProcess.TryDetach(probe.Process).ShouldBeTrue();
            }

            await Task.Delay(i * LongestMs / Attempts);
        }

        await shop.BecomesFreeAsync();
        (await shop.CountersAsync()).GetProperty("followed").GetBoolean().ShouldBeFalse();
    }

    // The hook of a tool that gave up ran late, complained about the half-filled folder of the next tool, and made that tool give up.
    [Fact]
    public async Task Hook_IsSilent_WhileAnotherToolFillsTheFolder()
    {
        await using var shop = await ShopProcess.StartAsync();
        var process = DotnetProcesses.Find(shop.Pid);
        var folder = ProcessFolders.Private(process.Entry);
        StagedParts.Stage(folder, folder, process.Entry.UserId, AttachSettings.None);
        File.Delete(Path.Combine(folder, "attach"));
        CallHook(process, Path.Combine(folder, StagedParts.Hook));

        // Its own call comes after the other, which has nearly always ended when the probe is there.
        using (var probe = new AttachedReport(shop))
        {
            Directory.GetFiles(folder).Select(Path.GetExtension).ShouldContain(".called");
            Directory.GetFiles(folder).Select(Path.GetExtension).ShouldNotContain(".failed");
        }

        await shop.BecomesFreeAsync();
    }

    [Fact]
    public async Task ToolThatGivesUp_LeavesTheProbeOfTheOther()
    {
        const int Attempts = 10;
        const int LongestMs = 200;
        await using var shop = await ShopProcess.StartAsync();
        for (var i = 0; i < Attempts; i++)
        {
            using var cancel = new CancellationTokenSource(i * LongestMs / Attempts);
            var other = OnOwnThread(() => TryAttach(shop, cancel.Token));
            using (var probe = new AttachedReport(shop))
            {
                (await other)?.Dispose();

                await shop.TextAsync("/fast");
                await probe.CountedAsync("GET /fast", 1);
                shop.Folders.ShouldHaveSingleItem();
                AttachedProcess.TryDetach(probe.Process).ShouldBeTrue();
            }

            await shop.BecomesFreeAsync();
        }
    }

    /// <summary>The second tool waits ten seconds for the probe before it tries to load one of its own.</summary>
    [Fact]
    [Trait("Category", "Full")]
    public async Task ToolThatGivesUp_LeavesAProbeThatDoesNotAnswer()
    {
        await using var shop = await ShopProcess.StartAsync();
        using (var probe = new AttachedReport(shop))
        {
            await HeapOf.SignalAsync("-STOP", shop.Pid);
            try
            {
                await Should.ThrowAsync<ProcessException>(
                    OnOwnThread(() => AttachedProcess.Attach(probe.Process, new(), CancellationToken.None)));
            }
            finally
            {
                await HeapOf.SignalAsync("-CONT", shop.Pid);
            }

            shop.Folders.ShouldHaveSingleItem();
            await shop.TextAsync("/fast");
            await probe.CountedAsync("GET /fast", 1);
        }

        await shop.BecomesFreeAsync();
    }

    private static async Task<bool> HasHeadersAsync(ShopProcess shop)
    {
        using var answer = await shop.Client.GetAsync(new Uri("/fast", UriKind.Relative));
        return answer.Headers.Contains("X-AsyncProbe-Held-Ms");
    }

    private static AttachedProcess? TryAttach(ShopProcess shop, CancellationToken cancellationToken)
    {
        try
        {
            return AttachedProcess.Attach(DotnetProcesses.Find(shop.Pid), new(), cancellationToken);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private static Task<T> OnOwnThread<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void CallHook(DotnetProcess process, string hook)
    {
        const byte ProcessCommands = 4;
        const byte ApplyStartupHook = 7;
        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload, Encoding.Unicode, leaveOpen: true))
        {
            RuntimeMessage.Write(writer, hook);
        }

        using var runtime = RuntimeConnection.Open(process.Runtime, ChildProcess.Timeout);
        RuntimeMessage.Send(runtime, ProcessCommands, ApplyStartupHook, payload.ToArray());
        RuntimeMessage.ReadAnswer(runtime);
    }
}
