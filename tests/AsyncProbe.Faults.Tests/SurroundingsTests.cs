using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// What a host may meet on its worst day, with AsyncProbe in it: no descriptors, no threads, no temporary folder, no event sessions, a
/// process that is stopped, a second host that is disposed halfway. Each fault also runs without AsyncProbe, so that AsyncProbe isn't
/// blamed for the fault itself.
/// </summary>
public sealed partial class SurroundingsTests
{
    // A user without other processes, so that the thread limit counts only the host's threads.
    internal const string AsOther = "setpriv --reuid 54321 --regid 54321 --clear-groups";

    public static TheoryData<bool> WithAndWithout => [true, false];

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_Answers_WithoutDescriptors(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(isProbed, lifeline, "prlimit --nofile=400");
        await Work.RunAsync(host);
        await host.PostAsync("/hog/descriptors");

        // Uses the connection that is already open, because no descriptor is left for a new one.
        (await host.TextAsync("/plain")).ShouldBe("plain");
        if (isProbed)
        {
            var report = await host.ReportAsync();
            report.GetProperty("process").GetProperty("id").GetInt32().ShouldBe(host.Process.Id);
        }

        await host.PostAsync("/hog/none");
        (await Work.RunAsync(host)).ShouldBeEmpty();
        if (isProbed)
        {
            (await host.ReportAsync()).GetProperty("process").GetProperty("startedAt").ValueKind.ShouldBe(JsonValueKind.String);
            using var answer = await host.Client.GetAsync(new Uri($"http://127.0.0.1:{lifeline}/"));
            answer.IsSuccessStatusCode.ShouldBeTrue();
        }
    }

    [Theory]
    [InlineData("starting", true, "watcher: ")]
    [InlineData("starting", false, null)]
    [InlineData("started", true, "lifeline: ")]
    [InlineData("started", false, null)]
    public async Task Host_StartsAndAnswers_WithoutThreads(string when, bool isProbed, string? off)
    {
        var lifeline = FreePort.Take();
        using var folder = OpenCopy.Create();
        await using var host = await FaultHostProcess.StartAsync(
            [.. Arguments(isProbed, lifeline), "--ban", when], folder.Path, Environment.IsPrivilegedProcess ? AsOther : "",

            // Idle workers would leave after twenty seconds, and no other could be started.
            start => start.Environment["DOTNET_ThreadPool_ThreadTimeoutMs"] = "-1");

        (await host.TextAsync("/plain")).ShouldBe("plain");
        if (off == "watcher: ")
        {
            // Once threads can be started again, the next part of AsyncProbe that needs the watcher starts it.
            await Eventually.TrueAsync(
                async () => await IsOffAsync(host, off) || (await host.ReportAsync()).GetProperty("pool").GetProperty("history").GetArrayLength() > 0,
                () => host.Output);
        }

        if (off == "lifeline: ")
        {
            (await IsOffAsync(host, off)).ShouldBeTrue();
            await host.LineAsync($"The lifeline cannot listen on loopback port {lifeline}");
            using var socket = new TcpListener(System.Net.IPAddress.Loopback, lifeline);
            Should.NotThrow(socket.Start, "the bound socket leaks");
        }

        host.Output.ShouldNotContain("Unhandled exception");
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_Answers_WithoutATemporaryFolder(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await FaultHostProcess.StartAsync(
            Arguments(isProbed, lifeline), configure: start => start.Environment["TMPDIR"] = "/proc/self");
        await AnswersAsync(host, isProbed, lifeline);
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_Answers_WhereTheRuntimeRefusesSessions(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await FaultHostProcess.StartAsync(
            Arguments(isProbed, lifeline), configure: start => start.Environment["DOTNET_EnableDiagnostics"] = "0");
        await AnswersAsync(host, isProbed, lifeline);
        if (isProbed)
        {
            (await host.ReportAsync()).GetProperty("probe").GetProperty("notAvailable").EnumerateArray().Select(text => text.GetString())
                .ShouldContain(text => text!.StartsWith("stack snapshots: "));
        }
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_Answers_AfterItWasStopped(bool isProbed)
    {
        const int StoppedMs = 3_000;
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(isProbed, lifeline);
        await Work.RunAsync(host);
        var running = Work.RunAsync(host);
        Kill(host.Process.Id, 19).ShouldBe(0);
        await Task.Delay(StoppedMs);
        Kill(host.Process.Id, 18).ShouldBe(0);

        (await running).ShouldBeEmpty();
        await AnswersAsync(host, isProbed, lifeline);
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_UnloadsALoadContext_ThatHasBlocked(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(isProbed, lifeline);
        (await host.PostAsync("/unload")).ShouldBe("unloaded");
        await AnswersAsync(host, isProbed, lifeline);
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_Answers_WhileAnotherHostInTheProcessIsDisposed(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(isProbed, lifeline);
        for (var i = 0; i < 5; i++)
        {
            var work = Work.RunAsync(host);
            (await host.PostAsync("/second")).ShouldBe("disposed", host.Output);
            (await work).ShouldBeEmpty();
        }

        await AnswersAsync(host, isProbed, lifeline);
    }

    [Theory]
    [MemberData(nameof(WithAndWithout))]
    public async Task Host_EndsByNoFrameOfOurs_WhenTheHeapIsFull(bool isProbed)
    {
        var lifeline = FreePort.Take();
        await using var host = await FaultHostProcess.StartAsync(
            Arguments(isProbed, lifeline), configure: start => start.Environment["DOTNET_GCHeapHardLimit"] = "0x4000000");
        await Work.RunAsync(host);
        try
        {
            var work = Work.RunAsync(host);
            await host.PostAsync("/hog/memory");
            await work;
            await Task.Delay(2_000);
            await host.PostAsync("/hog/none");
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            // The host may well die of it.
        }

        // A process that is out of memory takes a while to end.
        await Eventually.TrueAsync(
            async () => host.Process.HasExited || (await Work.RunAsync(host)).Count == 0, () => host.Output, ChildProcess.Timeout);
        if (host.Process.HasExited)
        {
            EndedBy.Us(host.Output).ShouldBeFalse(host.Output);
        }
    }

    private static async Task<bool> IsOffAsync(FaultHostProcess host, string what) =>
        (await host.ReportAsync()).GetProperty("probe").GetProperty("notAvailable").EnumerateArray()
            .Any(text => text.GetString()!.StartsWith(what, StringComparison.Ordinal));

    private static async Task AnswersAsync(FaultHostProcess host, bool isProbed, int lifeline)
    {
        (await Work.RunAsync(host)).ShouldBeEmpty(host.Output);
        if (isProbed)
        {
            await Work.AskProbeAsync(host, lifeline);
            (await host.ReportAsync()).GetProperty("endpoints").GetArrayLength().ShouldBeGreaterThan(0);
        }
    }

    private static Task<FaultHostProcess> StartAsync(bool isProbed, int lifeline, string limits = "") =>
        FaultHostProcess.StartAsync(Arguments(isProbed, lifeline), limits: limits);

    private static string[] Arguments(bool isProbed, int lifeline) =>
        ["--probe", isProbed ? "on" : "off", "--lifeline", lifeline.ToString(CultureInfo.InvariantCulture)];

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
