using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>How long a request keeps its place among the requests that carry the hook.</summary>
public sealed class ArmedRequestTests : IWaitSink
{
    private static readonly Timestamp s_start = Timestamp.Now();
    private static readonly Timestamp s_tooLate = s_start + HookLease.Longest;

    private readonly BlockingContext _hook;

    public ArmedRequestTests() => _hook = new BlockingContext(this, Duration.Millisecond);

    [Theory]
    [InlineData(1, 1, 0)]
    [InlineData(2, 2, 1)]
    [InlineData(4, 4, 2)]
    [InlineData(2, 32767, 2)]
    [InlineData(7, 32767, 3)]
    [InlineData(8, 8, 4)]
    [InlineData(64, 32767, 32)]
    public void Limit_IsHalfTheMinimum_AtLeastTwo_AndOneLessThanTheMaximum(int minimum, int maximum, int limit) =>
        ArmedPermits.LimitOf(minimum, maximum).ShouldBe(limit);

    [Fact]
    public Task Place_GoesBack_WhenTheRequestEnds() => OnAPoolThread(slot =>
    {
        var armed = Arm();
        armed.Arrive(slot, s_start);
        SynchronizationContext.Current.ShouldBe(_hook);
        armed.Depart(slot);
        ArmedPermits.Taken.ShouldBe(1, "its continuation may be posted to the hook");

        armed.End();

        ArmedPermits.Taken.ShouldBe(0);
        armed.End();
        ArmedPermits.Taken.ShouldBe(0, "once");
    });

    [Fact]
    public Task Place_IsKept_WhileAThreadHangsUnderTheHook_ThoughTheRequestHasEnded() => OnAPoolThread(slot =>
    {
        var armed = Arm();
        armed.Arrive(slot, s_start);

        armed.End();
        ArmedPermits.Taken.ShouldBe(1);

        armed.Depart(slot);
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public Task Place_IsKept_ByARequestThatIsSuspendedForLong_UntilItArrivesAgain() => OnAPoolThread(slot =>
    {
        var armed = Arm();
        armed.Arrive(slot, s_start);
        armed.Depart(slot);
        SynchronizationContext.SetSynchronizationContext(null);
        ArmedPermits.Taken.ShouldBe(1);

        armed.Arrive(slot, s_tooLate);

        SynchronizationContext.Current.ShouldBeNull("it was armed for ten seconds");
        slot.Armed.ShouldBeNull();
        armed.IsWatchedToTheEnd.ShouldBeFalse();
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public Task Place_IsKept_ByAWait_ThoughAnotherThreadOfTheRequestArrivesTooLate() => OnAPoolThread(async slot =>
    {
        var armed = Arm();
        armed.Arrive(slot, s_start);

        await OnAPoolThread(other => armed.Arrive(other, s_tooLate));
        ArmedPermits.Taken.ShouldBe(1, "the first thread still carries the hook");

        armed.End();
        armed.Depart(slot);
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public Task WorkAfterTheResponse_TakesAPlaceForAsLongAsItRuns() => OnAPoolThread(slot =>
    {
        var armed = Arm();
        armed.End();
        ArmedPermits.Taken.ShouldBe(0);

        armed.Arrive(slot, s_start);
        (ArmedPermits.Taken, slot.Armed).ShouldBe((1, armed));

        armed.Depart(slot);
        (ArmedPermits.Taken, slot.Armed).ShouldBe((0, null));
    });

    [Fact]
    public Task WorkAfterTheResponse_IsNotWatched_WhenNoPlaceIsFree() => OnAPoolThread(slot =>
    {
        var armed = Arm();
        armed.End();
        var others = Enumerable.Range(0, ArmedPermits.Limit).Select(_ => Arm()).ToList();

        armed.Arrive(slot, s_start);

        slot.Armed.ShouldBeNull();
        SynchronizationContext.Current.ShouldBeNull();
        others.ForEach(other => other.End());
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public Task UsersOwnContext_IsLeftAlone() => OnAPoolThread(slot =>
    {
        var users = new SynchronizationContext();
        SynchronizationContext.SetSynchronizationContext(users);
        var armed = Arm();

        armed.Arrive(slot, s_start);

        SynchronizationContext.Current.ShouldBe(users);
        slot.Armed.ShouldBeNull();
        armed.End();
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public void Inner_SharesThePlace_AndItGoesBackOnce_WhoeverEndsLast()
    {
        foreach (var (first, last) in new[] { (0, 1), (1, 0) })
        {
            var outer = Arm();
            ArmedRequest[] both = [outer, Arm(outer)];
            ArmedPermits.Taken.ShouldBe(1);

            both[first].End();
            both[first].Disarm();
            ArmedPermits.Taken.ShouldBe(1, "the other carries the hook");

            both[last].End();
            both[last].End();
            ArmedPermits.Taken.ShouldBe(0);
        }
    }

    [Fact]
    public Task Inner_KeepsThePlace_WhileAThreadHangsUnderIt_ThoughBothHaveEnded() => OnAPoolThread(slot =>
    {
        var outer = Arm();
        var inner = Arm(outer);
        inner.Arrive(slot, s_start);

        inner.End();
        outer.End();
        ArmedPermits.Taken.ShouldBe(1);

        inner.Depart(slot);
        ArmedPermits.Taken.ShouldBe(0);
    });

    [Fact]
    public void SecondInner_TakesAPlaceOfItsOwn_WhileTheFirstShares()
    {
        var outer = Arm();
        var first = Arm(outer);
        ArmedPermits.Taken.ShouldBe(1);

        var second = Arm(outer);
        ArmedPermits.Taken.ShouldBe(2);

        first.End();
        var third = Arm(outer);
        ArmedPermits.Taken.ShouldBe(2, "the first has given back");
        EndAll(outer, second, third);
    }

    // Otherwise an operation that repeatedly leaves work behind could run any number of armed operations under one place.
    [Fact]
    public void SecondInner_TakesAPlaceOfItsOwn_WhileWhatTheFirstLeftBehindStillShares()
    {
        var outer = Arm();
        var first = Arm(outer);
        var leftBehind = Arm(first);
        ArmedPermits.Taken.ShouldBe(1);
        first.End();

        var second = Arm(outer);
        ArmedPermits.Taken.ShouldBe(2);

        leftBehind.End();
        var third = Arm(outer);
        ArmedPermits.Taken.ShouldBe(2);
        EndAll(outer, second, third);
    }

    // Each begins inside the previous one, which then ends, as when jobs hand over to each other.
    [Fact]
    public void Place_GoesBack_AfterALongChain()
    {
        var last = Arm();
        for (var i = 0; i < 200_000; i++)
        {
            var next = Arm(last);
            last.End();
            last = next;
        }

        ArmedPermits.Taken.ShouldBe(1);
        EndAll(last);
    }

    [Fact]
    public void Inner_IsNotWatched_WhenAnotherSharesAndNoPlaceIsFree()
    {
        var all = Enumerable.Range(0, ArmedPermits.Limit).Select(_ => Arm()).ToList();
        all.Add(Arm(all[0]));

        ArmedRequest.TryCreate(_hook, s_start, outer: all[0]).ShouldBeNull();

        ArmedPermits.Taken.ShouldBe(ArmedPermits.Limit);
        EndAll([.. all]);
    }

    [Fact]
    public void Inner_TakesAPlaceOfItsOwn_WhenTheOuterHasEndedOrIsDisarmedOrOfAnotherHost()
    {
        var (ended, disarmed, others) = (Arm(), Arm(), new BlockingContext(this, Duration.Millisecond));
        ended.End();
        disarmed.Disarm();
        ArmedPermits.Taken.ShouldBe(0);

        EndAll(Arm(ended));
        EndAll(Arm(disarmed));
        var outer = Arm();
        var inner = ArmedRequest.TryCreate(others, s_start, outer: outer).ShouldNotBeNull();
        ArmedPermits.Taken.ShouldBe(2);
        EndAll(outer, inner);
    }

    [Fact]
    public Task Inner_HasThePlaceNoLongerThanTheOuterWouldHave() => OnAPoolThread(slot =>
    {
        var outer = Arm();
        var inner = ArmedRequest.TryCreate(_hook, s_tooLate - Duration.Millisecond, outer: outer).ShouldNotBeNull();
        ArmedPermits.Taken.ShouldBe(1);

        inner.Arrive(slot, s_tooLate);
        slot.Armed.ShouldBeNull("ten seconds after the place was taken");
        var late = ArmedRequest.TryCreate(_hook, s_tooLate, outer: outer).ShouldNotBeNull();
        ArmedPermits.Taken.ShouldBe(2, "it is no longer to be shared");
        EndAll(outer, inner, late);
    });

    LiveWait? IWaitSink.Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

    void IWaitSink.End(Duration blocked, StackTrace stack)
    {
    }

    private static Task OnAPoolThread(Action<ThreadSlot> code) => OnAPoolThread(slot =>
    {
        code(slot);
        return Task.CompletedTask;
    });

    private static Task OnAPoolThread(Func<ThreadSlot, Task> code) => Task.Run(() =>
    {
        try
        {
            return code(ThreadSlots.GetOrAdd());
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }).WaitAsync(ProbedApp.Timeout);

    private static void EndAll(params ArmedRequest[] requests)
    {
        Array.ForEach(requests, request => request.End());
        ArmedPermits.Taken.ShouldBe(0);
    }

    private ArmedRequest Arm(ArmedRequest? outer = null) => ArmedRequest.TryCreate(_hook, s_start, outer: outer).ShouldNotBeNull();
}
