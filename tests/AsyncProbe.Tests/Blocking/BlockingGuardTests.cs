namespace AsyncProbe.Tests.Blocking;

public sealed class BlockingGuardTests
{
    [Fact]
    public async Task Guard_Passes_WhenEverythingIsAwaited() =>
        await BlockingGuard.AssertNoBlockingAsync(async () =>
        {
            await Task.Delay(20);
            await Task.Run(() => Task.Delay(20));
        });

    [Fact]
    public async Task Guard_NamesTheCall_TheTimeAndTheStack()
    {
        var e = await Should.ThrowAsync<BlockingCallException>(BlockingGuard.AssertNoBlockingAsync(async () =>
        {
            await Task.Delay(1).ConfigureAwait(false);
            Waiting.ForTask();
        }));

        // A call that only the clock has seen was caused by the machine.
        var call = e.Calls.Where(c => c.Kind != "Unseen").ShouldHaveSingleItem();
        call.Kind.ShouldBe("Task.Wait");
        call.At.ShouldBe("Waiting.ForTask");
        call.Blocked.TotalMilliseconds.ShouldBeInRange(20, 5000);
        e.Message.ShouldContain("Task.Wait at Waiting.ForTask (Waiting.cs:");
        e.Message.ShouldContain("at BlockingGuardTests.Guard_NamesTheCall_TheTimeAndTheStack (BlockingGuardTests.cs:");
    }

    [Fact]
    public async Task Guard_SeesASleep_ByTheClock()
    {
        var before = GC.GetTotalPauseDuration();
        var calls = await BlockingGuard.CollectAsync(() =>
        {
            Thread.Sleep(100);
            return Task.CompletedTask;
        });
        var paused = GC.GetTotalPauseDuration() - before;

        // A collection also pauses sleeping threads, and its pause is reported separately.
        var call = calls.ShouldHaveSingleItem();
        (call.Blocked + paused).TotalMilliseconds.ShouldBeGreaterThan(90);
        new BlockingCallException(calls).Message.ShouldContain("location unknown (Thread.Sleep");
    }

    [Fact]
    public async Task Guard_LetsAllowedWaitsPass_SleepsIncluded() =>
        await BlockingGuard.AssertNoBlockingAsync(async () =>
        {
            using (BlockingScope.Allow("a test"))
            {
                Waiting.ForTask();
                Thread.Sleep(50);
            }

            await Task.Delay(1);
        });

    [Fact]
    public async Task Guard_LeavesTheCodesOwnExceptionAlone() =>
        await Should.ThrowAsync<TimeoutException>(BlockingGuard.AssertNoBlockingAsync(() => throw new TimeoutException()));
}
