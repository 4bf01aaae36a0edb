using AsyncProbe.Blocking.Hook;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>
/// Many concurrent units of work, each an operation inside another, as in a MassTransit consumer. The outer operations take every place
/// for the wait hook, and the inner ones block.
/// </summary>
public sealed class SharedPlaceTests
{
    private static readonly int s_workers = ArmedPermits.Limit + 6;

    private readonly Meeting _started = new(s_workers);
    private readonly Meeting _inside = new(s_workers);
    private int _outerHooked;
    private int _innerHooked;

    [Fact]
    public async Task InnerOperations_AreNamed_ThoughThoseAroundThemHaveEveryPlace()
    {
        await using var app = await StartAsync();

        await Task.WhenAll(Enumerable.Range(0, s_workers).Select(worker => Work.OnPoolAsync(() => ReceiveAsync(worker))));

        _outerHooked.ShouldBeInRange(2, ArmedPermits.Limit);
        _innerHooked.ShouldBe(_outerHooked, "each shares a place, and no other is taken");

        // A thread that carried an operation may still be on its way out.
        await Eventually.TrueAsync(() => Task.FromResult(ArmedPermits.Taken == 0), "a place was not given back");
        var sites = (await app.ReportAsync()).GetProperty("sites").EnumerateArray();
        var site = sites.Single(s => s.GetProperty("at").GetString() == "SharedPlaceTests.Handle");
        site.GetProperty("count").GetInt64().ShouldBe(_innerHooked);
        site.GetProperty("endpoints").EnumerateArray().Select(e => e.GetString()!)
            .ShouldAllBe(e => e.StartsWith("AsyncProbe: process", StringComparison.Ordinal));
    }

    // It is stopped twice, on another thread, and after the operation around it.
    [Fact]
    public async Task Place_GoesBack_HoweverTheOperationsEnd()
    {
        await using var app = await StartAsync();

        await Work.OnPoolAsync(async () =>
        {
            var outer = AsyncProbeOperation.Start("outer");
            var inner = AsyncProbeOperation.Start("inner");
            var (isHooked, taken) = (IsHooked, ArmedPermits.Taken);
            outer.Dispose();
            await Work.OnPoolAsync(inner.Dispose);
            inner.Dispose();
            outer.Dispose();
            (isHooked, taken).ShouldBe((true, 1));
        });

        await app.OperationAsync("AsyncProbe: inner");
        await Eventually.TrueAsync(() => Task.FromResult(ArmedPermits.Taken == 0), "the place was not given back");
    }

    private static bool IsHooked => SynchronizationContext.Current is BlockingContext;

    // Never spins, unlike Task.Wait.
    private static void Handle()
    {
        using var never = new ManualResetEvent(false);
        never.WaitOne(20);
    }

    private static async Task<ProbedApp> StartAsync()
    {
        // An operation that another test started and never stopped gives its place back when it is collected.
        await Eventually.TrueAsync(
            () =>
            {
                GC.Collect();
                return Task.FromResult(ArmedPermits.Taken == 0);
            },
            "another test has kept a place");
        return await ProbedApp.StartAsync(_ => { });
    }

    private async Task ReceiveAsync(int worker)
    {
        // Each has its own name; otherwise the limit per endpoint would keep places free.
        var name = new string((char)('p' + (worker % 8)), 1 + (worker / 8));
        using (AsyncProbeOperation.Start("receive " + name))
        {
            Interlocked.Add(ref _outerHooked, IsHooked ? 1 : 0);
            await _started.AllAsync();
            using (AsyncProbeOperation.Start("process " + name))
            {
                Interlocked.Add(ref _innerHooked, IsHooked ? 1 : 0);
                await _inside.AllAsync();
                Handle();
            }
        }
    }

    /// <summary>Each one waits here, without a thread, until all have arrived.</summary>
    private sealed class Meeting(int count)
    {
        private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _missing = count;

        public Task AllAsync()
        {
            if (Interlocked.Decrement(ref _missing) == 0)
            {
                _all.SetResult();
            }

            return _all.Task.WaitAsync(ProbedApp.Timeout);
        }
    }
}
