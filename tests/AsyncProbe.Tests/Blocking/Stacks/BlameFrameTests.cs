using System.Reflection;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.StaticFiles;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

[Trait(Logic.Category, Logic.Name)]
public sealed class BlameFrameTests
{
    private static readonly MethodBase s_hook = Method(typeof(BlockingContext), nameof(BlockingContext.Wait));
    private static readonly MethodBase s_wait = Method(typeof(Task), nameof(Task.Wait));
    private static readonly MethodBase s_monitorWait = Method(typeof(Monitor), nameof(Monitor.Wait));
    private static readonly MethodBase s_send = Method(typeof(HttpClient), nameof(HttpClient.Send));
    private static readonly MethodBase s_quiet = Method(typeof(string), nameof(string.Clone));
    private static readonly MethodBase s_middleware = Method(typeof(AsyncProbeMiddleware), nameof(AsyncProbeMiddleware.InvokeAsync));
    private static readonly MethodBase s_probe = Method(typeof(SelfTest), nameof(SelfTest.RunAsync));

    // Hidden helpers of libraries, which users can't look up.
    private static readonly MethodBase s_hiddenLibrary = typeof(HttpClient).GetMethods(BindingFlags.NonPublic | BindingFlags.Instance)
        .First(m => m.IsPrivate);

    [Fact]
    public void Blame_FallsOnTheFirstOwnFrame()
    {
        var blame = Find(s_hook, s_wait, Own, s_quiet, s_send)!;

        blame.At.Method.ShouldBe(Own);
        blame.IlOffset.ShouldBe(IlOffset);
        blame.Kind.ShouldBe(WaitKind.TaskWait);
    }

    // Seen in hot code: a filter that only awaited a delay was advised to hold its lock for less time.
    [Theory]
    [InlineData("System.Threading.TimerQueueTimer", ".ctor", "TimerQueueTimer.ctor")]
    [InlineData("System.Threading.Tasks.Task+DelayPromise", ".ctor", "Task.DelayPromise.ctor")]
    [InlineData("System.Threading.Tasks.Task", "Delay", "Task.Delay")]
    [InlineData("System.Threading.CancellationTokenSource", "InitializeWithTimer", "CancellationTokenSource.InitializeWithTimer")]
    [InlineData("System.Threading.CancellationTokenSource", "CancelAfter", "CancellationTokenSource.CancelAfter")]
    [InlineData("System.Threading.Timer", "Change", "Timer.Change")]
    public void Lock_OfTheRuntimesTimers_IsNotThatOfTheLineThatDelays(string type, string innermostLeft, string at)
    {
        var timer = Method(typeof(Timer).Assembly.GetType(type, throwOnError: true)!, innermostLeft);

        var blame = Find(s_hook, Method(typeof(Lock), "TryEnterSlow"), Method(typeof(Lock), nameof(Lock.Enter)), timer, Own)!;

        blame.Kind.ShouldBe(WaitKind.Lock);
        blame.At.ShortName.ShouldBe(at);
    }

    // Seen in hot code: the advice for "await gate.WaitAsync()" was to await WaitAsync.
    [Theory]
    [InlineData(nameof(SemaphoreSlim.WaitAsync))]
    [InlineData(nameof(SemaphoreSlim.Release))]
    public void Lock_OfASemaphore_IsNotThatOfTheLineThatAwaitsIt(string method)
    {
        var blame = Find(s_hook, Method(typeof(Lock), nameof(Lock.Enter)), Method(typeof(SemaphoreSlim), method), Own)!;

        blame.Kind.ShouldBe(WaitKind.Lock);
        blame.At.ShortName.ShouldBe("SemaphoreSlim." + method);
        Find(s_hook, Method(typeof(SemaphoreSlim), method), Own)!.Kind.ShouldBe(WaitKind.Lock, "older runtimes show no lock");
    }

    [Theory]
    [InlineData("System.Threading.CancellationTokenSource", "Cancel")]
    [InlineData("System.Threading.Tasks.Task", "Wait")]
    public void Lock_BeneathOtherMethodsOfTheCore_IsTheCallers(string type, string method) =>
        Find(
            s_hook, Method(typeof(Lock), nameof(Lock.Enter)), Method(typeof(Task).Assembly.GetType(type, throwOnError: true)!, method),
            Own)!.At.Method.ShouldBe(Own);

    [Fact]
    public void Kind_IsThatOfTheFrameNearestToTheCaller() =>
        Find(s_hook, s_monitorWait, s_wait, Own)!.Kind.ShouldBe(WaitKind.TaskWait);

    [Fact]
    public void Kind_StaysThatOfAFrameBeneath_WhenTheOneAboveSaysNothing() =>
        Find(s_hook, s_wait, s_quiet, Own)!.Kind.ShouldBe(WaitKind.TaskWait);

    [Fact]
    public void Kind_IsTheWideOne_WhereverOnTheStackItIs()
    {
        Find(s_hook, s_wait, s_send, Own)!.Kind.ShouldBe(WaitKind.SyncHttp);
        Find(s_hook, s_send, s_wait, Own)!.Kind.ShouldBe(WaitKind.SyncHttp);
    }

    [Fact]
    public void Kind_IsTheWidest_WhenTwoAreWide()
    {
        var read = Method(typeof(Stream), nameof(Stream.ReadByte));

        Find(s_hook, read, s_send, Own)!.Kind.ShouldBe(WaitKind.SyncHttp);
        Find(s_hook, s_send, read, Own)!.Kind.ShouldBe(WaitKind.SyncHttp);
    }

    [Fact]
    public void Kind_IgnoresWhatLiesOutsideTheOwnFrame() =>
        Find(s_hook, s_wait, Own, s_send)!.Kind.ShouldBe(WaitKind.TaskWait);

    [Fact]
    public void Via_IsTheDeepestPublicLibraryCall() =>
        Find(s_hook, s_wait, s_hiddenLibrary, s_send, Method(typeof(HttpClient), nameof(HttpClient.GetAsync)), Own)!.Via!.Method.ShouldBe(
            s_send);

    [Fact]
    public void Via_IsTheCoreCallNextToTheCaller_WhenNoLibraryIsBetween() =>
        Find(s_hook, s_monitorWait, s_wait, Own)!.Via!.Method.ShouldBe(s_wait);

    [Fact]
    public void Via_IsNothing_WhenTheNextCallIsHidden() =>
        Find(s_hook, Method(typeof(Task), "InternalWaitCore"), Own)!.Via.ShouldBeNull();

    // Optimised code inlines WaitOne whole. The wait was once called a lock, at the statement before it.
    [Fact]
    public void OwnCodeStraightAboveTheHook_WaitsInAnInlinedWaitOne()
    {
        var blame = Find(s_hook, Own)!;

        blame.Kind.ShouldBe(WaitKind.WaitHandle);
        blame.At.Method.ShouldBe(Own);
        blame.Call!.MethodName.ShouldBe(nameof(WaitHandle.WaitOne));
    }

    [Fact]
    public void UnknownCallAboveTheRuntime_WaitsForAHandle() => Find(s_hook, s_quiet, Own)!.Kind.ShouldBe(WaitKind.WaitHandle);

    [Fact]
    public void LibraryIsToBlame_WhenNoOwnCodeIsOnTheStack()
    {
        var blame = Find(s_hook, s_wait, s_send, s_quiet)!;

        blame.At.Method.ShouldBe(s_send);
        blame.Via!.Method.ShouldBe(s_send);
        blame.IlOffset.ShouldBe(1);
        blame.Kind.ShouldBe(WaitKind.SyncHttp);
    }

    [Fact]
    public void LibraryIsToBlame_WhenTheMiddlewareComesBeforeOwnCode()
    {
        var blame = Find(s_hook, s_wait, s_send, s_middleware, Own)!;

        blame.At.Method.ShouldBe(s_send);
        blame.Kind.ShouldBe(WaitKind.SyncHttp);
    }

    [Fact]
    public void LibrarysMiddleware_HidesTheOwnCodeInFrontOfIt()
    {
        var invoke = Method(typeof(StaticFileMiddleware), nameof(StaticFileMiddleware.Invoke));

        var blame = Find(s_hook, s_wait, invoke, Own)!;

        blame.At.Method.ShouldBe(invoke);
        blame.Kind.ShouldBe(WaitKind.TaskWait);
    }

    [Fact]
    public void HiddenLibraryCall_IsBetterThanNone() =>
        Find(s_hook, s_wait, s_hiddenLibrary, s_quiet)!.At.Method.ShouldBe(s_hiddenLibrary);

    [Fact]
    public void NobodyIsToBlame_WhenOnlyTheRuntimeIsOnTheStack() => Find(s_hook, s_monitorWait, s_wait).ShouldBeNull();

    [Fact]
    public void FrameworksLock_IsTheFrameworks_BelowOwnCodeToo()
    {
        var monitor = Method(typeof(Monitor), nameof(Monitor.IsEntered));
        var library = Method(typeof(HttpClient), nameof(HttpClient.CancelPendingRequests));

        Find(s_hook, monitor, library)!.At.Method.ShouldBe(library);
        Find(s_hook, monitor, library, Own)!.At.Method.ShouldBe(library);
        Find(s_hook, monitor, s_quiet, Own)!.At.Method.ShouldBe(Own);
        Find(s_hook, monitor, s_quiet).ShouldBeNull();
    }

    [Fact]
    public void LockOfTheRuntimesTimers_IsTheRuntimes_BelowTheLineThatMakesOne()
    {
        var monitor = Method(typeof(Monitor), nameof(Monitor.IsEntered));
        var timers = Method(typeof(Timer).Assembly.GetType("System.Threading.TimerQueue", throwOnError: true)!, "UpdateTimer");
        var delay = Method(typeof(Task), nameof(Task.Delay));

        var blame = Find(s_hook, s_monitorWait, monitor, timers, delay, Own)!;

        blame.Kind.ShouldBe(WaitKind.Lock);
        blame.At.Method.ShouldBe(timers);
        Find(s_hook, monitor, Method(typeof(Lazy<int>), "CreateValue"), Own)!.At.Method.ShouldBe(
            Own, "others run the application's own code in there");
        Find(s_hook, s_monitorWait, timers, s_wait, Own)!.Kind.ShouldBe(WaitKind.TaskWait);
    }

    [Fact]
    public void FirstUseOfATypeOfTheRuntime_IsTheRuntimes_AndOfAnOwnTypeTheLines()
    {
        var start = Method(typeof(Timer).Assembly.GetType("System.Runtime.CompilerServices.InitHelpers", throwOnError: true)!, "InitClass");
        var delay = Method(typeof(Task), nameof(Task.Delay));

        Find(s_hook, s_monitorWait, start, delay, Own)!.At.Method.ShouldBe(delay);
        Find(s_hook, s_monitorWait, start, Own)!.At.Method.ShouldBe(Own);
    }

    [Fact]
    public void NobodyIsToBlame_WhenASampledStackEndsInTheFramework()
    {
        var invoke = Method(typeof(StaticFileMiddleware), nameof(StaticFileMiddleware.Invoke));

        BlameFrame.Find([new SampledFrame { Method = invoke, IlOffset = 1 }], HandMadeStacks.Frames, handler: null)
            .ShouldBeNull("the runtime compiles what it calls");
        BlameFrame.Find(
            [new SampledFrame { Method = s_wait, IlOffset = 1 }, new SampledFrame { Method = invoke, IlOffset = 1 }], HandMadeStacks.Frames,
            handler: null)!.Kind.ShouldBe(WaitKind.TaskWait);
    }

    [Fact]
    public void NobodyIsToBlame_WhenTheProbeWaitsForItself() => Find(s_hook, s_wait, s_probe, Own).ShouldBeNull();

    [Fact]
    public void NobodyIsToBlame_WhenNothingOfTheStackHasAName()
    {
        Find(s_hook).ShouldBeNull();
        Find().ShouldBeNull();
        Find(s_hook, null, null).ShouldBeNull();
    }

    [Fact]
    public void FrameWithoutAMethod_IsSkipped() => Find(s_hook, null, s_wait, null, Own)!.Kind.ShouldBe(WaitKind.TaskWait);

    // An exception that another method handles says nothing about the place in this one.
    [Theory]
    [InlineData(nameof(Catches), true, true)]
    [InlineData(nameof(Catches), false, false)]
    [InlineData(nameof(Catches), null, null)]
    [InlineData(nameof(CatchesNothing), true, false)]
    [InlineData(nameof(CatchesNothing), null, null)]
    public void Handler_MayBeTheBlamedMethods_WhenItGuardsThePlace(string method, bool? isInCatch, bool? expected) =>
        BlameFrame.Find(Of(s_hook, s_wait, Method(typeof(BlameFrameTests), method)), HandMadeStacks.Frames, handler: null, isInCatch)!
            .IsInCatch.ShouldBe(expected);

    private static void Catches()
    {
        try
        {
            Task.CompletedTask.Wait();
        }
        catch (AggregateException)
        {
        }
    }

    private static void CatchesNothing() => Task.CompletedTask.Wait();

    private static BlameFrame? Find(params MethodBase?[] methods) => BlameFrame.Find(Of(methods), HandMadeStacks.Frames, handler: null);
}
