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

    private static async Task<PostedCallback> PostUnder(RequestProbe probe)
    {
        var saved = ThreadSegments.Enter(probe);
        var work = new PostedCallback(_ => Thread.Sleep(BlockedMs), null, Timestamp.Now());
        ThreadSegments.Exit(probe, saved);
        return work;
    }
}
