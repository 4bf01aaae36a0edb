using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Tests.Server;

/// <summary>The first report of a run, which decides whether the run has server figures at all.</summary>
[SideBySide]
public class ProbeFinderTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task ColdServer_IsWaitedFor_AndTheWaitIsTold()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        // The server answers only after the user has been notified of the delay.
        var told = new TaskCompletionSource<(Uri Report, TimeSpan Longest)>(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Report.Instead = async (_, _) =>
        {
            await told.Task.WaitAsync(s_patience);
            return false;
        };

        var (poller, status, _) = await ProbeFinder
            .FindAsync(ProbeChoice.Auto, new(server.Url), insecure: false, s_patience, (url, longest) => told.TrySetResult((url, longest)),
                CancellationToken.None)
            .WaitAsync(2 * s_patience);

        status.ShouldBe(ServerStatus.Joined);
        poller.ShouldNotBeNull().Dispose();
        (await told.Task).ShouldBe((new Uri(server.Url + "/_threadpool"), s_patience));
    }

    [Fact]
    public async Task SilentServer_IsGivenUpAfterTheUsualTime_WhenRequestsMayTakeNoLonger()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Instead = static async (context, _) =>
        {
            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return true;
        };
        var told = 0;

        var (poller, status, _) = await ProbeFinder
            .FindAsync(ProbeChoice.Auto, new(server.Url), insecure: false, TimeSpan.Zero, (_, _) => told++, CancellationToken.None)
            .WaitAsync(s_patience);

        (poller, status, told).ShouldBe((null, ServerStatus.NoAnswer, 0));
    }

    [Fact]
    public async Task Interruption_EndsTheWait_WithoutAWord()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var interrupt = new CancellationTokenSource();
        server.Report.Instead = async (_, _) =>
        {
            await interrupt.CancelAsync();
            await server.Gate.Task.WaitAsync(s_patience);
            return false;
        };
        var told = 0;

        var (poller, status, _) = await ProbeFinder
            .FindAsync(ProbeChoice.Auto, new(server.Url), insecure: false, s_patience, (_, _) => told++, interrupt.Token)
            .WaitAsync(s_patience);

        (poller, status, told).ShouldBe((null, ServerStatus.NoAnswer, 0));
    }
}
