using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Tests.Server;

/// <summary>The first report of a run, which decides whether the run has server figures at all.</summary>
[SideBySide]
public class FirstReportTests
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

        var (poller, answer) = await ReportPoller
            .FindAsync(Report(server), s_patience, CancellationToken.None, (url, longest) => told.TrySetResult((url, longest)))
            .WaitAsync(2 * s_patience);

        answer.Status.ShouldBe(ServerStatus.Joined);
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

        var (poller, answer) = await ReportPoller
            .FindAsync(Report(server), TimeSpan.Zero, CancellationToken.None, (_, _) => told++)
            .WaitAsync(s_patience);

        (poller, answer.Status, told).ShouldBe((null, ServerStatus.NoAnswer, 0));
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

        var (poller, answer) = await ReportPoller
            .FindAsync(Report(server), s_patience, interrupt.Token, (_, _) => told++)
            .WaitAsync(s_patience);

        (poller, answer.Status, told).ShouldBe((null, ServerStatus.NoAnswer, 0));
    }

    private static ServerReport Report(TestServer server) =>
        new(new(server.Url + ProbeChoice.DefaultPath), lifeline: null, insecure: false);
}
