using System.Diagnostics;
using AsyncProbe.Requests;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>
/// An activity may be stopped by a thread outside the flow that started it. Its operation ends there, wherever its own flow is at
/// that moment.
/// </summary>
public sealed class StoppedElsewhereTests : IDisposable
{
    private const string Property = "AsyncProbe.Operation";

    private readonly ActivitySource _source = new("Tests." + Guid.NewGuid().ToString("N"));

    public void Dispose() => _source.Dispose();

    [Fact]
    public async Task Operation_Ends_WhileItsOwnThreadStillRunsIt()
    {
        await using var app = await StartAsync();

        await Work.OnPoolAsync(() =>
        {
            var activity = _source.StartActivity("running")!;
            OnStrangeThread(activity.Stop);

            ThreadSegments.Current.ShouldNotBeNull("this flow still belongs to it").HasEnded.ShouldBeTrue();
        });

        await ShouldHaveEndedAsync(app, "running");
    }

    [Fact]
    public async Task Operation_Ends_WhileItsOwnThreadRunsAnotherInside()
    {
        await using var app = await StartAsync();

        await Work.OnPoolAsync(() =>
        {
            var outer = _source.StartActivity("outer")!;
            using (_source.StartActivity("inner"))
            {
                OnStrangeThread(outer.Stop);
            }

            ThreadSegments.Current.ShouldBeNull("the outer one has ended before the inner one");
        });

        await ShouldHaveEndedAsync(app, "outer");
        await ShouldHaveEndedAsync(app, "inner");
    }

    [Fact]
    public async Task Operation_Ends_WhileItsFlowIsOnNoThread()
    {
        await using var app = await StartAsync();
        var gate = new TaskCompletionSource();
        var started = new TaskCompletionSource<Activity>();

        var flow = Work.OnPoolAsync(async () =>
        {
            started.SetResult(_source.StartActivity("away")!);
            await gate.Task;
        });
        var activity = await started.Task.WaitAsync(ProbedApp.Timeout);
        OnStrangeThread(activity.Stop);
        gate.SetResult();
        await flow;

        await ShouldHaveEndedAsync(app, "away");
    }

    [Fact]
    public async Task Operation_Ends_ThatAThreadOfItsOwnHasStarted()
    {
        await using var app = await StartAsync();
        Activity? activity = null;

        OnStrangeThread(() => activity = _source.StartActivity("dedicated"));
        OnStrangeThread(activity!.Stop);

        await ShouldHaveEndedAsync(app, "dedicated");
    }

    [Fact]
    public async Task Operation_Ends_ThatWasStartedWhereNoContextFlows()
    {
        await using var app = await StartAsync();

        await Work.OnPoolAsync(() =>
        {
            using (ExecutionContext.SuppressFlow())
            {
                _source.StartActivity("suppressed")!.Stop();
            }

            ThreadSegments.Current.ShouldBeNull();
        });

        await ShouldHaveEndedAsync(app, "suppressed");
    }

    // One thread stops what another is about to leave, five hundred times.
    [Fact]
    public async Task Operation_EndsOnce_WhenItIsStoppedWhileItsFlowLeavesTheThread()
    {
        const int Times = 500;
        await using var app = await StartAsync();

        for (var i = 0; i < Times; i++)
        {
            var started = new TaskCompletionSource<Activity>(TaskCreationOptions.RunContinuationsAsynchronously);
            var flow = Work.OnPoolAsync(async () =>
            {
                started.SetResult(_source.StartActivity("leaves")!);
                await Task.Yield();
            });
            (await started.Task.WaitAsync(ProbedApp.Timeout)).Stop();
            await flow;
        }

        await ShouldHaveEndedAsync(app, "leaves", Times);
    }

    [Fact]
    public async Task Activity_CarriesNothing_WhereItIsStoppedOnTheThreadThatStartedIt()
    {
        await using var app = await StartAsync();

        await Work.OnPoolAsync(async () =>
        {
            var stays = _source.StartActivity("stays")!;
            stays.Stop();
            stays.GetCustomProperty(Property).ShouldBeNull("a dictionary for each operation");

            using var leaves = _source.StartActivity("leaves")!;
            await Task.Yield();

            // The code may continue before the thread that it left has noticed.
            await Eventually.TrueAsync(() => Task.FromResult(leaves.GetCustomProperty(Property) is not null), "nobody else could end it");
        });
    }

    [Fact]
    public async Task Flow_IsWhatItWas_WhereTheOperationSetNothing()
    {
        await using var app = await StartAsync();
        var local = new AsyncLocal<string>();

        await Work.OnPoolAsync(() =>
        {
            local.Value = "before";
            _source.StartActivity("nothing")!.Stop();

            local.Value.ShouldBe("before");
            ThreadSegments.Current.ShouldBeNull();
        });
    }

    private static void OnStrangeThread(Action work)
    {
        var thread = new Thread(() => work());
        thread.UnsafeStart();
        thread.Join(ProbedApp.Timeout).ShouldBeTrue();
    }

    private async Task ShouldHaveEndedAsync(ProbedApp app, string name, int times = 1)
    {
        var row = await app.OperationAsync($"{_source.Name}: {name}", times);
        row.Count("requests").ShouldBe(times);
        row.Count("inFlight").ShouldBe(0);
    }

    private Task<ProbedApp> StartAsync() => ProbedApp.StartAsync(
        _ => { },
        configure: b => b.Services.Configure<AsyncProbeOptions>(o =>
        {
            o.ActivitySources.Clear();
            o.ActivitySources.Add(_source.Name);
        }));
}
