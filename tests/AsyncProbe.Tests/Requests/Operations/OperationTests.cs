using System.Diagnostics;
using AsyncProbe.Accounting;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>Work outside requests has its own row, from the activity's start to its stop, whatever other code does with it.</summary>
public sealed class OperationTests : IDisposable
{
    private readonly ActivitySource _source = ActivitySources.CreateUnique();

    public void Dispose() => _source.Dispose();

    [Fact]
    public async Task Operation_IsCounted_WithWhatItHeld()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(() =>
        {
            using var operation = AsyncProbeOperation.Start("nightly import");

            // Several sleeps, because a hypervisor may take the core away just before a thread sleeps: it then seems to work all that time.
            for (var i = 0; i < 3; i++)
            {
                Thread.Sleep(50);
            }
        });

        var row = await app.OperationAsync("AsyncProbe: nightly import");
        row.Count("requests").ShouldBe(1);
        row.StoodStillMs().ShouldBeGreaterThanOrEqualTo(49);
        row.Ms("heldMs").ShouldBeGreaterThanOrEqualTo(149);
        row.GetProperty("durationMs").GetProperty("max").GetDouble().ShouldBeGreaterThanOrEqualTo(149);
    }

    // The process may run out of memory in another listener.
    [Fact]
    public Task Work_GoesOnOutsideAnyOperation_WhenMemoryRunsOutAtTheStart() =>
        Work.OnPoolAsync(() =>
        {
            using var listener = ActivitySources.Listen(started: _ => throw new InsufficientMemoryException());

            using (AsyncProbeOperation.Start("nightly import"))
            {
                Activity.Current.ShouldBeNull();
            }
        });

    [Fact]
    public Task Work_GoesOn_WhenMemoryRunsOutAtTheEnd() =>
        Work.OnPoolAsync(() =>
        {
            using var listener = ActivitySources.Listen(stopped: _ => throw new InsufficientMemoryException());
            var operation = AsyncProbeOperation.Start("nightly import");

            Should.NotThrow(operation.Dispose);
        });

    [Fact]
    public async Task AwaitedOperation_HoldsNothing_WhileItAwaits()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(async () =>
        {
            using var operation = AsyncProbeOperation.Start("awaits");
            await Task.Delay(300);
        });

        var row = await app.OperationAsync("AsyncProbe: awaits");

        // The runtime's timers use a clock with steps of some milliseconds, and may fire that much early.
        row.GetProperty("durationMs").GetProperty("max").GetDouble().ShouldBeGreaterThanOrEqualTo(280);
        row.Ms("blockedMs").ShouldBeLessThan(250);
    }

    [Fact]
    public async Task Operation_IsThatOfANamedSource_AndOfNoOther()
    {
        using var unnamed = new ActivitySource(_source.Name + ".unnamed");
        using var child = new ActivitySource(_source.Name + "/child");
        await using var app = await _source.StartAppAsync(o => o.ActivitySources.Add(_source.Name + "/*"));

        _source.HasListeners().ShouldBeTrue();
        child.HasListeners().ShouldBeTrue();
        unnamed.HasListeners().ShouldBeFalse();
        await Work.OnPoolAsync(() => child.StartActivity("works")?.Dispose());

        await app.OperationAsync($"{child.Name}: works");
    }

    [Fact]
    public async Task NoSource_IsListenedTo_WhenNoneIsNamed()
    {
        using var signalR = new ActivitySource("Microsoft.AspNetCore.SignalR.Server");
        await using (await ProbedApp.StartAsync(
            _ => { }, configure: b => b.Services.Configure<AsyncProbeOptions>(o => o.ActivitySources.Clear())))
        {
            signalR.HasListeners().ShouldBeFalse();
            _source.HasListeners().ShouldBeFalse();
        }

        await using (await ProbedApp.StartAsync(_ => { }))
        {
            signalR.HasListeners().ShouldBeTrue("it is in the default");
        }

        signalR.HasListeners().ShouldBeFalse("the host has stopped");
    }

    [Fact]
    public async Task CallToOthers_IsPartOfTheWorkThatMakesIt()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(() =>
        {
            using var work = _source.StartActivity("work", ActivityKind.Consumer);
            _source.StartActivity("call", ActivityKind.Client).ShouldNotBeNull().Dispose();
            _source.StartActivity("send", ActivityKind.Producer).ShouldNotBeNull().Dispose();
        });

        await app.OperationAsync(_source.Row("work"));
        (await app.ReportAsync()).OperationNames().ShouldBe([_source.Row("work")]);
    }

    [Fact]
    public async Task Request_IsNoOperation_ThoughItsSourceIsNamed()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/", () => "request"), configure: b => b.Services.Configure<AsyncProbeOptions>(o => o.ActivitySources.Add("*")));

        await app.GetAsync("/");

        (await app.EndpointAsync("GET /")).Count("requests").ShouldBe(1);
        (await app.ReportAsync()).OperationNames()
            .ShouldNotContain(name => name.StartsWith("Microsoft.AspNetCore: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task FailedOperation_IsCountedAsFailed()
    {
        await using var app = await _source.StartAppAsync();

        await Work.OnPoolAsync(() =>
        {
            using var activity = _source.StartActivity("fails");
            activity!.SetStatus(ActivityStatusCode.Error);
        });

        (await app.OperationAsync(_source.Row("fails"))).Count("failed").ShouldBe(1);
    }

    [Fact]
    public async Task Names_FallTogether_AndShareARowBeyondTheLimit()
    {
        await using var app = await _source.StartAppAsync(o => o.MaxOperations = 2);

        await Work.OnPoolAsync(() =>
        {
            for (var i = 0; i < 3000; i++)
            {
                _source.StartActivity($"order {i}")?.Dispose();
            }

            _source.StartActivity("second")?.Dispose();
            _source.StartActivity("third")?.Dispose();
            _source.StartActivity("fourth")?.Dispose();
        });

        (await app.OperationAsync(_source.Row("order {…}"), 3000)).Count("requests").ShouldBe(3000);
        (await app.OperationAsync("(other operations)", 2)).Count("requests").ShouldBe(2);
        var report = await app.ReportAsync();
        report.OperationNames().ShouldBe([_source.Row("order {…}"), _source.Row("second"), "(other operations)"], ignoreOrder: true);
        report.GetProperty("probe").GetProperty("dropped").Count("operations").ShouldBe(2);
    }

    [Fact]
    public async Task TwoHosts_CountEachActivityOnce()
    {
        await using var first = await _source.StartAppAsync();
        await using var second = await _source.StartAppAsync();

        await Work.OnPoolAsync(() => _source.StartActivity("once")?.Dispose());

        var rows = new[] { await first.ReportAsync(), await second.ReportAsync() }.SelectMany(r => r.OperationNames());
        rows.ShouldBe([_source.Row("once")]);
    }

    [Fact]
    public async Task Operation_IsNotMeasured_WhenAsyncProbeIsOff()
    {
        await using var app = await _source.StartAppAsync(o => o.Enabled = false);

        app.Services.GetRequiredService<OperationListener>().IsListening.ShouldBeFalse();
        await Work.OnPoolAsync(() =>
        {
            using var operation = AsyncProbeOperation.Start("off");
            ThreadSegments.Current.ShouldBeNull();
        });
    }
}
