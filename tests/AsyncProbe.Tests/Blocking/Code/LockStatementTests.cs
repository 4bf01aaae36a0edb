using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Code;

/// <summary>Waits while a lock is held. Await frees the thread there, but no more requests get through.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LockStatementTests
{
    private static readonly Lock s_new = new();
    private static readonly object s_old = new();
    private static readonly MethodBase s_sleep = HandMadeStacks.Method(typeof(Thread), nameof(Thread.Sleep));

    [Theory]
    [InlineData(nameof(InALock), true)]
    [InlineData(nameof(InANewLock), true)]
    [InlineData(nameof(AfterALock), false)]
    [InlineData(nameof(InAUsing), false)]
    public void Sleep_IsInALock_OnlyWhereTheMethodHoldsOne(string name, bool expected)
    {
        var method = HandMadeStacks.Method(typeof(LockStatementTests), name);
        var offset = MethodCode.Get(method).Calls.Single(c => c.Target.Name == nameof(Thread.Sleep)).Offset;
        var frames = HandMadeStacks.Frames;

        new SiteFrame(frames.Get(method), offset, frames.Get(s_sleep), frames).IsInLock.ShouldBe(expected);
    }

    // "await Task.Delay instead" doesn't compile inside a lock statement.
    [Theory]
    [InlineData(nameof(InALock), true, "the lock around it")]
    [InlineData(nameof(AfterALock), false, null)]
    public void Remedy_ReplacesTheLock_BecauseItCannotHoldAnAwait(string name, bool replacesLock, string? limit)
    {
        var method = HandMadeStacks.Method(typeof(LockStatementTests), name);
        var offset = MethodCode.Get(method).Calls.Single(c => c.Target.Name == nameof(Thread.Sleep)).Offset;
        var frames = HandMadeStacks.Frames;

        var site = new BlockingSites(500, new AllowRules([])).GetOrAdd(
            new BlameFrame(WaitKind.Sleep, frames.Get(method), offset, frames.Get(s_sleep)), null, new StackTrace(), frames);

        site.Advice.Remedy.ShouldContain("await Task.Delay");
        site.Advice.Remedy.Contains("SemaphoreSlim.WaitAsync", StringComparison.Ordinal).ShouldBe(replacesLock);
        site.Advice.Limit.ShouldBe(limit);
    }

    // "The lock around it still sets the rate" was said where eight threads waited at once.
    [Fact]
    public void Wait_IsNotLimitedByTheLock_ThatItReleases()
    {
        var method = HandMadeStacks.Method(typeof(LockStatementTests), nameof(WaitsForAPulse));
        var offset = MethodCode.Get(method).Calls.Single(c => c.Target.Name == nameof(Monitor.Wait)).Offset;
        var frames = HandMadeStacks.Frames;
        var wait = frames.Get(HandMadeStacks.Method(typeof(Monitor), nameof(Monitor.Wait)));

        var site = new BlockingSites(500, new AllowRules([])).GetOrAdd(
            new BlameFrame(WaitKind.MonitorWait, frames.Get(method), offset, wait) { Call = wait }, null, new StackTrace(), frames);

        site.At!.IsInLock.ShouldBeTrue();
        site.Advice.Limit.ShouldBeNull();
    }

    private static void WaitsForAPulse()
    {
        lock (s_old)
        {
            Monitor.Wait(s_old, 1);
        }
    }

    private static void InALock()
    {
        lock (s_old)
        {
            Thread.Sleep(1);
        }
    }

    private static void InANewLock()
    {
        lock (s_new)
        {
            Thread.Sleep(1);
        }
    }

    private static void AfterALock()
    {
        lock (s_old)
        {
            GC.KeepAlive(s_old);
        }

        Thread.Sleep(1);
    }

    private static void InAUsing()
    {
        using var stream = new MemoryStream();
        Thread.Sleep(1);
    }
}
