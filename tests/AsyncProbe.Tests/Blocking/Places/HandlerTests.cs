using System.Collections;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.TestServer;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Places;

/// <summary>Waits in catch and finally blocks. A stack shows the method in their place, at the point where the block was entered.</summary>
public sealed class HandlerTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(HandlerWaits).Assembly.GetName().Name!]));

    public HandlerTests() => HandlerWaits.PauseFor(RecordingContext.BeginWait);

    public static TheoryData<string, Func<Task>> Waits() => new()
    {
        { nameof(HandlerWaits.Finally), Now(HandlerWaits.Finally) },
        { nameof(HandlerWaits.NestedFinally), Now(HandlerWaits.NestedFinally) },
        { nameof(HandlerWaits.Catch), Now(HandlerWaits.Catch) },
        { nameof(HandlerWaits.CatchAfterAVirtualCall), Now(() => HandlerWaits.CatchAfterAVirtualCall(Missing())) },
        { nameof(HandlerWaits.FinallyWhileItThrows), Now(HandlerWaits.FinallyWhileItThrows) },
        { nameof(HandlerWaits.TryAndCatchInAnotherWay), Now(HandlerWaits.TryAndCatchInAnotherWay) },
        { nameof(HandlerWaits.Using), Now(() => HandlerWaits.Using(() => new Waiting())) },
        { nameof(HandlerWaits.UsingFirst), Now(() => HandlerWaits.UsingFirst(() => new Waiting())) },
        { nameof(HandlerWaits.UsingBlock), Now(() => HandlerWaits.UsingBlock(() => new Waiting())) },
        { nameof(HandlerWaits.Foreach), Now(() => HandlerWaits.Foreach(() => new Waiting())) },
        { nameof(HandlerWaits.Async), HandlerWaits.Async },
        { nameof(HandlerWaits.UsingAsync), () => HandlerWaits.UsingAsync(() => new Waiting()) },
    };

    [Theory]
    [MemberData(nameof(Waits))]
    public void Line_IsTheHandlers(string name, Func<Task> wait) => LinesOf(wait).ShouldBe([Marked("waits", name)]);

    [Fact]
    public void Line_IsNotTold_WhenTheTryBlockMakesTheSameCall()
    {
        var places = PlacesOf(Now(HandlerWaits.TryAndCatch));

        places.ShouldNotBeEmpty();
        places.ShouldAllBe(place => place.Line == null && place.Text == "HandlerWaits.TryAndCatch");
    }

    // For the second wait the runtime reports the start of the method, or the first wait, which makes the same call.
    [Fact]
    public void Lines_AreEachWaitsOwn_WhenBothMakeTheSameCall()
    {
        LinesOf(Now(HandlerWaits.FinallyAfterAWait)).ShouldBe(BothOf(nameof(HandlerWaits.FinallyAfterAWait)));
        LinesOf(Now(HandlerWaits.FirstAndFinally)).ShouldBe(BothOf(nameof(HandlerWaits.FirstAndFinally)));
    }

    [Theory]
    [InlineData(nameof(HandlerWaits.Async), true)]
    [InlineData(nameof(HandlerWaits.Unguarded), false)]
    public void TryBlockOfTheCompiler_IsNone(string name, bool expected)
    {
        var machine = typeof(HandlerWaits).GetNestedTypes(BindingFlags.NonPublic).Single(t => t.Name.StartsWith($"<{name}>"));
        var moveNext = HandMadeStacks.Method(machine, "MoveNext");

        Enumerable.Range(0, moveNext.GetMethodBody()!.GetILAsByteArray()!.Length).Any(offset => Handlers.IsGuarded(moveNext, offset))
            .ShouldBe(expected);
    }

    [Fact]
    public void CodeThatIsMadeAtRunTime_IsNotGuarded() =>
        Handlers.IsGuarded(new DynamicMethod("Made", typeof(void), []), 0).ShouldBeFalse();

    private static Func<Task> Now(Action wait) => () =>
    {
        try
        {
            wait();
        }
        catch (InvalidOperationException)
        {
            // Thrown on purpose, to see what the stack shows.
        }

        return Task.CompletedTask;
    };

    private static MemoryStream Missing()
    {
        var stream = new MemoryStream();
        stream.Dispose();
        return stream;
    }

    private static List<SiteFrame> PlacesOf(Func<Task> wait)
    {
        using var context = new RecordingContext();
        var thread = new Thread(() => context.Run(wait));
        thread.Start();
        thread.Join();
        return [.. context.Found.Select(blame => blame.ToSiteFrame(s_frames))];
    }

    // One wait may block twice: on its event and on that event's lock.
    private static List<int?> LinesOf(Func<Task> wait) => [.. PlacesOf(wait).Select(place => place.Line?.Line).Distinct()];

    private static int?[] BothOf(string name) => [Marked("waits before", name), Marked("waits", name)];

    private static int Marked(string mark, string name) => MarkedLines.Find("HandlerWaits.cs", mark, name);

    /// <summary>Stands for a library's enumerator, which waits when it is disposed.</summary>
    private sealed class Waiting : IEnumerator<int>
    {
        public int Current => 1;

        object IEnumerator.Current => 1;

        public bool MoveNext() => false;

        public void Reset() => throw new NotSupportedException();

        public void Dispose() => RecordingContext.BeginWait().Wait();
    }

    /// <summary>Runs everything on one thread, and records each wait that blocks.</summary>
    private sealed class RecordingContext : SynchronizationContext, IDisposable
    {
        [ThreadStatic]
        private static TaskCompletionSource? s_waitedFor;

        private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _posted = [];
        private bool _isLooking;

        public RecordingContext() => SetWaitNotificationRequired();

        public List<BlameFrame> Found { get; } = [];

        /// <summary>Something to wait for on this thread. It ends once the wait is recorded, so a busy machine can't miss it.</summary>
        public static Task BeginWait()
        {
            var waitedFor = s_waitedFor = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Task.Delay(ProbedApp.Timeout).ContinueWith(_ => waitedFor.TrySetResult(), TaskScheduler.Default);
            return waitedFor.Task;
        }

        public void Run(Func<Task> wait)
        {
            SetSynchronizationContext(this);
            var task = wait();
            while (!task.IsCompleted)
            {
                SetSynchronizationContext(null);
                var (callback, state) = _posted.Take();
                SetSynchronizationContext(this);
                callback(state);
            }
        }

        public override void Post(SendOrPostCallback d, object? state) => _posted.Add((d, state));

        public override int Wait(IntPtr[] waitHandles, bool waitAll, int millisecondsTimeout)
        {
            if (!_isLooking)
            {
                _isLooking = true;
                if (BlameFrame.Find(new StackTrace(1), s_frames, handler: null, HandledException.IsOnThisThread()) is { } found)
                {
                    Found.Add(found);
                }

                _isLooking = false;
                var waitedFor = s_waitedFor;
                ThreadPool.QueueUserWorkItem(_ => waitedFor?.TrySetResult());
            }

            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }

        public void Dispose() => _posted.Dispose();
    }
}
