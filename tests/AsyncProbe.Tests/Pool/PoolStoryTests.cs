using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Pool;

public sealed class PoolStoryTests
{
    private static readonly DateTime s_began = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    // It said "a work item waits 0.1 ms for a pool thread" once: the delay of that moment, and no reason to speak.
    [Fact]
    public void Story_SaysHowLongItemsStillWaited_WhenAStarvationEndsInQueueing()
    {
        var log = new LogLines();
        var sample = new PoolSample(s_began.AddSeconds(4), Threads: 20, Pending: 0, Completed: 1, Busy: 2, QueueDelayNs: 100_000, QueueDelayMaxNs: 100_000);

        new PoolStory(log).OnChange(
            new PoolVerdict(PoolCondition.Queueing, sample.At, Diagnosis: null),
            new PoolVerdict(PoolCondition.Starved, s_began, Diagnosis: null),
            sample,
            calmedAt: 80 * Nanoseconds.PerMillisecond);

        log.All.Single().Text.ShouldBe(
            "The thread pool is no longer starved after 4000 ms, but it still queues: work items waited up to 80 ms for a pool thread in the last second.");
    }
}
