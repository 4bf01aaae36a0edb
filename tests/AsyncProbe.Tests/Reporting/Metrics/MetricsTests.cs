using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Metrics;

public sealed class MetricsTests : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly bool _isStarted;
    private readonly ConcurrentBag<Instrument> _instruments = [];
    private readonly ConcurrentBag<(string Name, double Value, KeyValuePair<string, object?>[] Tags)> _values = [];

    public MetricsTests()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            // Start publishes what other tests' hosts have left behind; only this test's host comes later.
            if (_isStarted && instrument.Meter.Name == "AsyncProbe")
            {
                _instruments.Add(instrument);
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((i, value, tags, _) => _values.Add((i.Name, value, tags.ToArray())));
        _listener.SetMeasurementEventCallback<long>((i, value, tags, _) => _values.Add((i.Name, value, tags.ToArray())));
        _listener.Start();
        _isStarted = true;
    }

    [Theory]
    [InlineData("asyncprobe.request.held", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.request.cpu", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.request.blocked", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.request.cpu_wait", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.request.gc", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.operation.cpu_wait", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.operation.gc", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.blocking.time", "s", typeof(Counter<double>))]
    [InlineData("asyncprobe.blocking.explained", "1", typeof(ObservableGauge<double>))]
    [InlineData("asyncprobe.thread_pool.state", "{state}", typeof(ObservableGauge<long>))]
    [InlineData("asyncprobe.thread_pool.threads", "{thread}", typeof(ObservableUpDownCounter<long>))]
    [InlineData("asyncprobe.thread_pool.pending", "{work_item}", typeof(ObservableUpDownCounter<long>))]
    [InlineData("asyncprobe.build_info", "{build}", typeof(ObservableGauge<long>))]
    [InlineData("asyncprobe.operation.held", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.operation.cpu", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.operation.blocked", "s", typeof(Histogram<double>))]
    [InlineData("asyncprobe.blocking.calls", "{call}", typeof(Counter<long>))]
    [InlineData("asyncprobe.thread_pool.queue_delay", "s", typeof(ObservableGauge<double>))]
    [InlineData("asyncprobe.thread_pool.blocked_threads", "{thread}", typeof(ObservableUpDownCounter<long>))]
    public async Task Meter_HasTheInstrument(string name, string unit, Type type)
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var instrument = _instruments.Single(i => i.Name == name);
        instrument.Unit.ShouldBe(unit);
        instrument.ShouldBeOfType(type);
    }

    [Fact]
    [Trait("Category", ApprovedTexts.Category)]
    public async Task Descriptions_ReadAsApproved()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var texts = new ApprovedTexts("AsyncProbe.Tests/Reporting/Metrics/Metrics");
        foreach (var instrument in _instruments.OrderBy(instrument => instrument.Name, StringComparer.Ordinal))
        {
            texts.Add(instrument.Name, instrument.Description!);
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public async Task Meter_HasNoOtherInstruments()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        _instruments.Count.ShouldBe(19);
    }

    [Theory]
    [InlineData("asyncprobe.request.held", 0.2)]
    [InlineData("asyncprobe.request.cpu", 0)]
    [InlineData("asyncprobe.request.cpu_wait", 0)]
    [InlineData("asyncprobe.request.gc", 0)]
    // Collections of other tests may take a part of the sleep.
    [InlineData("asyncprobe.request.blocked", 0.01)]
    public async Task Request_IsRecordedUnderItsRouteAndMethod(string name, double atLeast)
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/sleep/{id}", (int id) => Thread.Sleep(200)));
        await app.GetAsync("/sleep/7");
        await app.EndpointAsync("GET /sleep/{id}");

        var (_, value, tags) = await ValueAsync(name);
        value.ShouldBeGreaterThanOrEqualTo(atLeast);
        value.ShouldBeLessThan(5);
        tags.ToDictionary()
            .ShouldBe(
                new Dictionary<string, object?> { ["http.route"] = "/sleep/{id}", ["http.request.method"] = "GET" }, ignoreOrder: true);
    }

    [Theory]
    [InlineData("asyncprobe.operation.held", 0.02)]
    [InlineData("asyncprobe.operation.cpu", 0)]
    [InlineData("asyncprobe.operation.blocked", 0.01)]
    public async Task Operation_IsRecordedUnderItsSourceAndName(string name, double atLeast)
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        await Task.Run(() =>
        {
            using var operation = AsyncProbeOperation.Start("import 7");
            Thread.Sleep(20);
        }).WaitAsync(ProbedApp.Timeout);

        var (_, value, tags) = await ValueAsync(name);
        value.ShouldBeGreaterThanOrEqualTo(atLeast);
        tags.ToDictionary().ShouldBe(
            new Dictionary<string, object?> { ["asyncprobe.source"] = "AsyncProbe", ["asyncprobe.operation"] = "import {…}" },
            ignoreOrder: true);
    }

    [Fact]
    public async Task Request_HasNoRoute_WhenNothingMatched()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        await app.GetAsync("/nowhere");

        (await ValueAsync("asyncprobe.request.held")).Tags.Select(t => t.Key).ShouldBe(["http.request.method"]);
    }

    [Fact]
    public async Task BlockingCall_IsCountedUnderItsKind()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait", () => Waiting.TaskToWaitFor().Wait()));
        await app.GetAsync("/wait");

        var (_, value, tags) = await WaitAsync("asyncprobe.blocking.calls", 1);

        // On a crowded machine the event inside the task may wait twice.
        value.ShouldBeInRange(1, 3);
        tags.ToDictionary().ShouldBe(new Dictionary<string, object?> { ["asyncprobe.kind"] = "Task.Wait" });
    }

    [Fact]
    public async Task BlockingTime_IsCountedUnderItsLineAndEndpoint()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait/{id}", (int id) => Waiting.TaskToWaitFor().Wait()));
        await app.GetAsync("/wait/1");

        var (_, value, tags) = await WaitAsync("asyncprobe.blocking.time", 1);
        value.ShouldBeGreaterThan(0.001);
        var told = tags.ToDictionary();
        told.Keys.ShouldBe(
            ["asyncprobe.kind", "http.route", "http.request.method", "code.function.name", "code.line.number"], ignoreOrder: true);
        told["http.route"].ShouldBe("/wait/{id}");
        told["code.function.name"]
            .ShouldBe("AsyncProbe.Tests.Reporting.Metrics.MetricsTests.BlockingTime_IsCountedUnderItsLineAndEndpoint");
        told["code.line.number"].ShouldBeOfType<int>();
    }

    [Fact]
    public async Task BlockingTime_SaysWhatIsAllowed()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait", () =>
        {
            using (BlockingScope.Allow("a test"))
            {
                Waiting.TaskToWaitFor().Wait();
            }
        }));
        await app.GetAsync("/wait");

        (await WaitAsync("asyncprobe.blocking.time", 1)).Tags.ToDictionary()["asyncprobe.allowed"].ShouldBe(true);
    }

    [Fact]
    public async Task BlockingTime_StillComes_WhenTheCountsStartAnewBeforeTheMeterHasIt()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait", () => Waiting.ForTask()));
        for (var waits = 1; waits <= 3; waits++)
        {
            await app.GetAsync("/wait");
            await app.EndpointAsync("GET /wait");
            await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);

            (await WaitAsync("asyncprobe.blocking.time", waits)).Value.ShouldBeGreaterThan(0.001);
        }
    }

    [Fact]
    public async Task BlockingCall_IsToldElsewhere_WhileTheThreadThatWaitedStillHoldsItsLock()
    {
        var gate = new object();
        using var told = new ManualResetEventSlim();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name is "asyncprobe.blocking.calls" or "asyncprobe.blocking.time")
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        using var timed = new ManualResetEventSlim();

        // A listener's own lock, whose holder waits for the lock of the user: with both on one thread, neither would continue.
        listener.SetMeasurementEventCallback<long>((_, _, _, _) =>
        {
            Monitor.IsEntered(gate).ShouldBeFalse();
            told.Set();
        });
        listener.SetMeasurementEventCallback<double>((_, _, _, _) =>
        {
            Monitor.IsEntered(gate).ShouldBeFalse();
            timed.Set();
        });
        listener.Start();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait", () =>
        {
            lock (gate)
            {
                Waiting.TaskToWaitFor().Wait();

                // Spins, so that it isn't another wait.
                SpinWait.SpinUntil(() => told.IsSet && timed.IsSet, ProbedApp.Timeout);
                return $"{told.IsSet && timed.IsSet}";
            }
        }));

        (await app.Client.GetStringAsync(new Uri("/wait", UriKind.Relative))).ShouldBe("True");
    }

    [Theory]
    [InlineData("asyncprobe.thread_pool.queue_delay")]
    [InlineData("asyncprobe.thread_pool.blocked_threads")]
    [InlineData("asyncprobe.thread_pool.threads")]
    [InlineData("asyncprobe.thread_pool.pending")]
    [InlineData("asyncprobe.thread_pool.state")]
    [InlineData("asyncprobe.build_info")]
    public async Task Pool_IsObserved(string name)
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        _listener.RecordObservableInstruments();

        (await ValueAsync(name)).Value.ShouldBeGreaterThanOrEqualTo(0);
    }

    public void Dispose() => _listener.Dispose();

    /// <summary>A wait on a task, once there are this many: a crowded machine may add some.</summary>
    private async Task<(string Name, double Value, KeyValuePair<string, object?>[] Tags)> WaitAsync(string name, int count)
    {
        var waits = _values.Where(
            v => v.Name == name && v.Tags.Contains(KeyValuePair.Create("asyncprobe.kind", (object?)"Task.Wait")));
        await Eventually.TrueAsync(() => waits.Count() >= count, () => $"{waits.Count()} waits, not {count}");
        return waits.First();
    }

    /// <summary>The value once it is recorded: the client gets its answer a moment before the server records it.</summary>
    private async Task<(string Name, double Value, KeyValuePair<string, object?>[] Tags)> ValueAsync(string name)
    {
        await Eventually.TrueAsync(() => _values.Any(v => v.Name == name), $"no value of {name}");
        return _values.First(v => v.Name == name);
    }
}
