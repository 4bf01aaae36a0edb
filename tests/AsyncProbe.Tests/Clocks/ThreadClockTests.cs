using AsyncProbe.Clocks;

namespace AsyncProbe.Tests.Clocks;

public sealed class ThreadClockTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Thread_WantsToRun_UnlessItSleeps(bool isBusy)
    {
        using var end = new ManualResetEvent(false);
        var started = new TaskCompletionSource<ThreadIdentity>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            started.SetResult(ThreadIdentity.OfCurrentThread());
            while (!end.WaitOne(isBusy ? 0 : Timeout.Infinite))
            {
            }
        })
        { IsBackground = true };
        thread.Start();
        var identity = await started.Task.WaitAsync(ProbedApp.Timeout);

        await Eventually.TrueAsync(() => Task.FromResult(ThreadClock.WantsToRun(in identity) == isBusy), "its state is another one");

        end.Set();
        thread.Join();
        identity.Release();
    }
}
