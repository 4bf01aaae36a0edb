using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Continuations that no pool thread picks up run outside the pool.</summary>
public sealed class HopRescueTests
{
    private const int BlockedMs = 60;

    [Fact]
    public async Task Continuation_IsMeasured_AsIfThePoolHadRunIt()
    {
        var probe = new RequestProbe();
        var work = await Task.Run(() => PostUnder(probe)).WaitAsync(ProbedApp.Timeout);

        // Watched from a thread outside the pool, so that it is late after 10 ms. It is never queued to the pool.
        new Thread(() => HopRescue.Watch(work)).Start();

        await Eventually.TrueAsync(
            () => Task.FromResult(probe.SoFar().Blocked >= BlockedMs / 2 * Duration.Millisecond),
            () => $"blocked {probe.SoFar().Blocked.ToMilliseconds()} ms");
        work.IsTaken.ShouldBeTrue();
    }

    // The thread that runs a continuation frees its place, and so may the rescue thread. The later of the two once removed the continuation
    // that had taken the place in between, and nothing ran it.
    [Fact]
    public async Task Continuation_StaysWatched_WhenThePreviousOneFreesItsPlaceLate()
    {
        var second = new TaskCompletionSource<Task>();
        new Thread(() => second.SetResult(WatchTwoInOnePlace())).Start();

        await (await second.Task.WaitAsync(ProbedApp.Timeout)).WaitAsync(ProbedApp.Timeout);
    }

    // From a thread outside the pool, so that the second one is late after 10 ms. Neither is ever queued to the pool.
    private static Task WatchTwoInOnePlace()
    {
        var first = new PostedCallback(_ => { }, null, Timestamp.Now());
        HopRescue.Watch(first);
        HopRescue.Forget(first);
        while (true)
        {
            var hasRun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var second = new PostedCallback(_ => hasRun.SetResult(), null, Timestamp.Now());
            HopRescue.Watch(second);
            if (second.Place == first.Place)
            {
                HopRescue.Forget(first);
                return hasRun.Task;
            }

            HopRescue.Forget(second);
        }
    }

    private static async Task<PostedCallback> PostUnder(RequestProbe probe)
    {
        var saved = ThreadSegments.Enter(probe);
        var work = new PostedCallback(_ => Thread.Sleep(BlockedMs), null, Timestamp.Now());
        ThreadSegments.Exit(probe, saved);
        return work;
    }
}
