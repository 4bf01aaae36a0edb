using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>An operation lasts from its activity's start to its stop, on any thread and in any flow.</summary>
public sealed class OperationFlowTests : IDisposable
{
    private readonly ActivitySource _source = ActivitySources.CreateUnique();

    public void Dispose() => _source.Dispose();

    [Fact]
    public async Task Operation_FollowsItsFlow_FromThreadToThread()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(async () =>
        {
            var activity = _source.StartActivity("moves");
            for (var i = 0; i < 3; i++)
            {
                Thread.Sleep(20);
                await Task.Yield();
            }

            activity!.Stop();
        });

        // A thread that loses its core on its way out of the last await reports its part once it has a core again. That part is split as the
        // whole segment, so some of its sleep may count as the wait for the core. The other two are exact.
        var row = await app.OperationAsync(_source.Row("moves"));
        row.GetProperty("segmentsPerRequest").GetDouble().ShouldBe(4);
        await Eventually.TrueAsync(
            async () =>
            {
                row = await app.OperationAsync(_source.Row("moves"));
                return row.StoodStillMs() >= 38 && row.StoodStillMs() + row.Ms("cpuWaitMs") >= 57;
            },
            () => row.ToString());
    }

    // A thread that loses its core on its way out of an await leaves only after the next one has ended the operation.
    [Fact]
    public async Task Operation_CountsAThread_ThatLeavesAfterItsEnd()
    {
        await using var app = await _source.StartAppAsync();
        var awaiter = new SlowToLeave();

        var work = Work.OnPoolAsync(async () =>
        {
            var activity = _source.StartActivity("leaves late");
            Thread.Sleep(20);
            await awaiter;
            activity!.Stop();
        });

        var row = await app.OperationAsync(_source.Row("leaves late"));
        row.GetProperty("segmentsPerRequest").GetDouble().ShouldBe(2);
        row.StoodStillMs().ShouldBeLessThan(19, "the thread that slept has not left yet");

        // The time held until the end is exact; how it is split is taken from the whole segment.
        awaiter.Leave.SetResult();
        await work;
        await Eventually.TrueAsync(
            async () => (row = await app.OperationAsync(_source.Row("leaves late"))).Ms("heldMs") >= 19, () => row.ToString());
        row.StoodStillMs().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Operation_IsCountedOnce_WhenItIsStoppedTwice_AndOnAnotherThread()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(async () =>
        {
            var activity = _source.StartActivity("stopped")!;
            await Task.Run(activity.Stop);
            ThreadSegments.Current.ShouldNotBeNull("this flow still belongs to it").HasEnded.ShouldBeTrue();
            activity.Stop();
            activity.Dispose();
            Thread.Sleep(20);
        });

        var row = await app.OperationAsync(_source.Row("stopped"));
        row.Count("requests").ShouldBe(1);
        row.Count("inFlight").ShouldBe(0);
        await Eventually.TrueAsync(
            async () => (await app.OperationAsync(_source.Row("stopped"))).Ms("afterResponseMs") >= 19,
            "what follows in its flow is counted as after it");
    }

    [Fact]
    public async Task Flow_BelongsToNobody_WhereTheOperationWasStartedInAnother()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(async () =>
        {
            var activity = await StartElsewhereAsync();
            ThreadSegments.Current.ShouldBeNull();
            activity.Stop();
            ThreadSegments.Current.ShouldBeNull();
        });

        (await app.OperationAsync(_source.Row("elsewhere"))).Count("requests").ShouldBe(1);

        async Task<Activity> StartElsewhereAsync()
        {
            await Task.Yield();
            return _source.StartActivity("elsewhere")!;
        }
    }

    [Fact]
    public async Task NeverStopped_ShowsAsInFlight_AndIsKeptByNobody()
    {
        await using var app = await _source.StartAppAsync();
        WeakReference? never = null;

        await Work.OnPoolAsync(() => never = StartAndForget());

        (await app.OperationAsync(_source.Row("never"), times: 0)).Count("inFlight").ShouldBe(1);
        await Eventually.TrueAsync(
            () =>
            {
                GC.Collect();
                return !never!.IsAlive;
            },
            "the account of an operation that nobody stopped is kept by something");

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference StartAndForget()
        {
            _source.StartActivity("never");
            return new WeakReference(ThreadSegments.Current);
        }
    }

    // Each begins before the previous one has ended, like a job that hands over to its successor. None may keep all its predecessors alive.
    [Fact]
    public async Task Successors_DoNotKeepThoseBeforeThem()
    {
        await using var app = await _source.StartAppAsync();
        List<WeakReference> probes = [];

        await Work.OnPoolAsync(() =>
        {
            var last = Relay();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            GC.Collect();
            probes.Count(p => p.IsAlive).ShouldBeLessThan(6);
            last.Stop();
        });

        (await app.OperationAsync(_source.Row("relay"), 21)).Count("requests").ShouldBe(21);

        [MethodImpl(MethodImplOptions.NoInlining)]
        Activity Relay()
        {
            var before = _source.StartActivity("relay")!;
            for (var i = 0; i < 20; i++)
            {
                var next = _source.StartActivity("relay")!;
                probes.Add(new WeakReference(ThreadSegments.Current));
                before.Stop();
                before = next;
            }

            return before;
        }
    }

    [Fact]
    public async Task CurrentActivity_IsThatOfTheApplication_WhileNobodyElseListens()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(() =>
        {
            using var own = new Activity("own").Start();
            using (_source.StartActivity("unseen"))
            {
                Activity.Current.ShouldBe(own);
            }

            Activity.Current.ShouldBe(own);
        });

        await app.OperationAsync(_source.Row("unseen"));
    }

    [Fact]
    public async Task RemoteParent_DecidesAboutTheApplicationsSpans_AsItDoesWithoutUs()
    {
        await using var app = await _source.StartAppAsync();
        using var spans = ActivitySources.CreateUnique();
        using var tracer = new ActivityListener
        {
            ShouldListenTo = source => source == spans,
            Sample = static (ref ActivityCreationOptions<ActivityContext> options) => options.Parent.TraceFlags.HasFlag(ActivityTraceFlags.Recorded)
                ? ActivitySamplingResult.AllDataAndRecorded
                : ActivitySamplingResult.PropagationData,
        };
        ActivitySource.AddActivityListener(tracer);

        foreach (var flags in new[] { ActivityTraceFlags.Recorded, ActivityTraceFlags.None })
        {
            await Work.OnPoolAsync(() =>
            {
                var sender = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), flags, isRemote: true);
                using var operation = _source.StartActivity("remote", ActivityKind.Consumer, sender);
                using var span = spans.StartActivity("own")!;

                span.TraceId.ShouldBe(sender.TraceId);
                span.Recorded.ShouldBe(flags == ActivityTraceFlags.Recorded);
            });
        }
    }

    [Fact]
    public async Task CurrentActivity_IsTheOperation_WhereATracerListens()
    {
        await using var app = await _source.StartAppAsync();
        using var tracer = new ActivityListener
        {
            ShouldListenTo = source => source == _source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(tracer);

        await Work.OnPoolAsync(() =>
        {
            using var activity = _source.StartActivity("seen");
            Activity.Current.ShouldBe(activity);

            // Whatever user code does with it, the operation ends when the activity is stopped.
            Activity.Current = null;
            activity!.Stop();
            ThreadSegments.Current.ShouldBeNull();
        });

        await app.OperationAsync(_source.Row("seen"));
    }

    [Fact]
    public async Task UsersOwnFlow_IsUntouched()
    {
        await using var app = await _source.StartAppAsync();
        var local = new AsyncLocal<string>();

        await Work.OnPoolAsync(() =>
        {
            local.Value = "before";
            using (_source.StartActivity("flows"))
            {
                local.Value = "inside";
            }

            local.Value.ShouldBe("inside", "the end of an operation takes back nothing but itself");
        });

        await app.OperationAsync(_source.Row("flows"));
    }

    [Fact]
    public async Task Operation_EndsWithoutASound_WhenTheHostHasStoppedMeanwhile()
    {
        var app = await _source.StartAppAsync();
        await Work.OnPoolAsync(async () =>
        {
            var activity = _source.StartActivity("outlives")!;
            await app.DisposeAsync();
            activity.Stop();
        });
    }

    // A tracer or a host may start or end at any moment, while operations run.
    [Fact]
    public async Task Listeners_MayComeAndGo_WhileOperationsAreUnderWay()
    {
        using var first = Tracer();
        await Work.OnPoolAsync(async () =>
        {
            var before = _source.StartActivity("before").ShouldNotBeNull();
            await using var app = await _source.StartAppAsync();
            var inside = _source.StartActivity("inside").ShouldNotBeNull();
            using (var second = Tracer())
            {
                first.Dispose();
                before.Stop();
                ThreadSegments.Current.ShouldNotBeNull("that another activity ends is not its end")
                    .Totals!.Endpoint.ShouldBe(_source.Row("inside"));
            }

            inside.Stop();
            ThreadSegments.Current.ShouldBeNull();

            (await app.OperationAsync(_source.Row("inside"))).Count("requests").ShouldBe(1);
            (await app.ReportAsync()).OperationNames().ShouldBe([_source.Row("inside")], "one that began unheard is none");
        });

        ActivityListener Tracer()
        {
            var tracer = new ActivityListener
            {
                ShouldListenTo = source => source == _source,
                Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            };
            ActivitySource.AddActivityListener(tracer);
            return tracer;
        }
    }

    /// <summary>Continues elsewhere, and keeps the thread until it is allowed to leave.</summary>
    private sealed class SlowToLeave : ICriticalNotifyCompletion
    {
        public TaskCompletionSource Leave { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool IsCompleted => false;

        public SlowToLeave GetAwaiter() => this;

        public void GetResult()
        {
        }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => continuation(), null);
            Leave.Task.Wait(ProbedApp.Timeout).ShouldBeTrue();
        }
    }
}
