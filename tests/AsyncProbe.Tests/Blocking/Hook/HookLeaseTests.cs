using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Every step that a lease can take, in every order, and by several threads at once.</summary>
public sealed class HookLeaseTests
{
    private const int Steps = 5;

    private static readonly Timestamp s_start = Timestamp.Now();

    private enum Step
    {
        AddThread,
        RemoveThread,
        ReturnIfIdle,
        End,
    }

    // A thread is removed only if it was added before, as in the segment handler.
    [Fact]
    public void Permit_IsReturnedOnce_InEveryOrderOfSteps()
    {
        foreach (var steps in Orders(Steps))
        {
            var lease = Take();
            var (threads, hasEnded, isReturned) = (0, false, false);
            foreach (var step in steps)
            {
                switch (step)
                {
                    case Step.AddThread when lease.TryAddThread():
                        (hasEnded || isReturned).ShouldBeFalse($"{string.Join(", ", steps)}: a thread carries a hook that has no permit");
                        threads++;
                        break;
                    case Step.RemoveThread when threads > 0:
                        lease.RemoveThread();
                        threads--;
                        isReturned |= hasEnded && threads == 0;
                        break;
                    case Step.ReturnIfIdle:
                        lease.ReturnIfIdle();
                        isReturned |= threads == 0;
                        break;
                    case Step.End:
                        lease.End();
                        hasEnded = true;
                        isReturned |= threads == 0;
                        break;
                }

                (lease.IsReturned, ArmedPermits.Taken).ShouldBe((isReturned, isReturned ? 0 : 1), string.Join(", ", steps));
            }

            lease.Abandon();
            ArmedPermits.Taken.ShouldBe(0, string.Join(", ", steps));
        }
    }

    [Fact]
    public void Permit_IsFree_OnceTheLeaseAndItsShareAreReturned_InEitherOrder()
    {
        foreach (var outerIsFirst in new[] { true, false })
        {
            var outer = Take();
            var inner = outer.TryShare(s_start).ShouldNotBeNull();
            outer.TryShare(s_start).ShouldBeNull("one operation at a time shares it");

            (outerIsFirst ? outer : inner).End();
            ArmedPermits.Taken.ShouldBe(1);
            (outerIsFirst ? inner : outer).End();
            ArmedPermits.Taken.ShouldBe(0);
        }
    }

    [Fact]
    public void Share_IsRefused_WhenTheLeaseHasEndedOrExpired()
    {
        var lease = Take();
        lease.TryShare(s_start + HookLease.Longest).ShouldBeNull();
        lease.TryAddThread().ShouldBeTrue();
        lease.End();
        lease.TryShare(s_start).ShouldBeNull("it has ended, although a thread still carries the hook");
        lease.RemoveThread();
        ArmedPermits.Taken.ShouldBe(0);
    }

    // The server ends the request while its last thread leaves, another thread arrives, and it is disarmed.
    [Fact]
    public void Permit_IsReturnedOnce_WhenTheServerEndsTheRequestWhileThreadsComeAndGo()
    {
        for (var round = 0; round < 2_000; round++)
        {
            var lease = Take();
            lease.TryAddThread().ShouldBeTrue();
            Parallel.Invoke(
                lease.End,
                lease.RemoveThread,
                lease.ReturnIfIdle,
                () =>
                {
                    if (lease.TryAddThread())
                    {
                        lease.RemoveThread();
                    }
                });

            (lease.IsReturned, ArmedPermits.Taken).ShouldBe((true, 0));
        }
    }

    private static HookLease Take() => HookLease.TryTake(s_start, leavesOne: false).ShouldNotBeNull();

    private static IEnumerable<Step[]> Orders(int length) =>
        length == 0 ? [[]] : Orders(length - 1).SelectMany(_ => Enum.GetValues<Step>(), (steps, next) => (Step[])[.. steps, next]);
}
