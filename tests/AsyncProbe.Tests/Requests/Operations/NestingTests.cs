using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>
/// The time of an inner operation counts only there, so that all rows add up to the held time. The code measures each stretch itself,
/// just inside and just outside the calls: a thread that loses its core widens the bounds but doesn't break any check.
/// </summary>
public sealed class NestingTests
{
    // Each figure is rounded to a microsecond.
    private const double Rounding = 0.01;

    [Fact]
    public async Task Operations_InsideARequest_HaveTheirOwnTime()
    {
        Stretches outer = new(), middle = new(), inner = new();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/outer", () =>
        {
            outer.Begin();
            Thread.Sleep(30);
            outer.End();
            middle.Open();
            using (AsyncProbeOperation.Start("middle"))
            {
                middle.Begin();
                Thread.Sleep(20);
                middle.End();
                inner.Open();
                using (AsyncProbeOperation.Start("inner"))
                {
                    inner.Begin();
                    Thread.Sleep(40);
                    inner.End();
                }

                inner.Close();
                middle.Begin();
                Thread.Sleep(20);
                middle.End();
            }

            middle.Close();
            outer.Begin();
            Thread.Sleep(30);
            outer.End();
        }));

        outer.Open();
        await app.GetAsync("/outer");
        var request = await app.EndpointAsync("GET /outer");
        outer.Close();

        (await app.OperationAsync("AsyncProbe: inner")).Ms("heldMs").ShouldBeInRange(inner.Inside - Rounding, inner.Outside + Rounding);
        (await app.OperationAsync("AsyncProbe: middle")).Ms("heldMs")
            .ShouldBeInRange(middle.Inside - Rounding, middle.Outside - inner.Inside + Rounding);
        request.Ms("heldMs").ShouldBeInRange(outer.Inside - Rounding, outer.Outside - middle.Inside - inner.Inside + Rounding);
    }

    [Fact]
    public async Task Request_InsideAnOperation_HasItsOwnTime()
    {
        Stretches request = new(), operation = new();
        using var host = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s => s.AddRouting().AddAsyncProbe())
            .Configure(a => a.UseAsyncProbe().UseRouting().UseEndpoints(e =>
            {
                e.MapGet("/inner", () =>
                {
                    request.Begin();
                    Thread.Sleep(60);
                    request.End();
                });
                e.MapAsyncProbe();
            }))).UseEnvironment("Development").StartAsync().WaitAsync(ProbedApp.Timeout);
        using var client = host.GetTestClient();

        await Work.OnPoolAsync(async () =>
        {
            operation.Open();
            using (AsyncProbeOperation.Start("calls"))
            {
                operation.Begin();
                Thread.Sleep(20);
                operation.End();
                (await client.GetAsync(new Uri("/inner", UriKind.Relative))).EnsureSuccessStatusCode();
                operation.Begin();
                Thread.Sleep(20);
                operation.End();
            }

            operation.Close();
        });

        // The thread that hands over to the server's may wait for a core while the request runs. That time is held, but not blocked, and
        // the operation may end before it.
        JsonElement row = default;
        await Eventually.TrueAsync(
            async () =>
            {
                using var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative)));
                row = report.RootElement.GetProperty("operations").EnumerateArray().Single().Clone();
                return row.Ms("heldMs") >= operation.Inside - Rounding;
            },
            () => $"{operation.Inside} ms were inside, in {row}");
        row.Ms("blockedMs").ShouldBeLessThanOrEqualTo(operation.Outside - request.Inside + Rounding);
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public async Task ParallelChildren_AreCountedEach_AndTheirParentHoldsNothingMeanwhile()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        Stretches children = new(), parent = new();

        await Work.OnPoolAsync(async () =>
        {
            parent.Open();
            using (AsyncProbeOperation.Start("parent"))
            {
                await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
                {
                    Stretches child = new();
                    child.Open();
                    using (AsyncProbeOperation.Start("child"))
                    {
                        child.Begin();
                        Thread.Sleep(50);
                        child.End();
                    }

                    child.Close();
                    lock (children)
                    {
                        children.Add(child);
                    }
                })));
            }

            parent.Close();
        });

        var row = await app.OperationAsync("AsyncProbe: child", 3);
        row.Count("requests").ShouldBe(3);
        row.Ms("heldMs").ShouldBeInRange(children.Inside - Rounding, children.Outside + Rounding);

        // It ran three threads at once, so the sum of their times may exceed its duration; the sleeps of the children are not
        // part of it.
        (await app.OperationAsync("AsyncProbe: parent")).Ms("blockedMs").ShouldBeLessThan((4 * parent.Outside) - children.Inside);
    }

    [Fact]
    public async Task Outer_GoesOn_WhenTheInnerOneIsStoppedAfterIt()
    {
        using var source = ActivitySources.CreateUnique();
        await using var app = await ProbedApp.StartAsync(
            _ => { }, configure: b => b.Services.Configure<AsyncProbeOptions>(o => o.ActivitySources.Add(source.Name)));
        Stretches first = new(), second = new(), outer = new();

        await Work.OnPoolAsync(() =>
        {
            using (source.StartActivity("outer"))
            {
                var one = source.StartActivity("first")!;
                var two = source.StartActivity("second")!;
                one.Stop();
                second.Begin();
                Thread.Sleep(30);
                second.End();
                two.Stop();
                outer.Begin();
                Thread.Sleep(20);
                outer.End();
            }
        });

        (await app.OperationAsync($"{source.Name}: second")).Ms("heldMs").ShouldBeGreaterThanOrEqualTo(second.Inside - Rounding);
        (await app.OperationAsync($"{source.Name}: outer")).Ms("heldMs")
            .ShouldBeGreaterThanOrEqualTo(outer.Inside - Rounding, "what comes after both is its again");
        (await app.OperationAsync($"{source.Name}: first")).Ms("afterResponseMs").ShouldBe(0);
    }

    [Fact]
    public async Task SumOverAllRows_IsWhatWasHeld_WhereEveryThreadIsClaimed()
    {
        const int Workers = 4;
        const int Rounds = 25;
        await using var app = await ProbedApp.StartAsync(_ => { });
        var all = new ConcurrentBag<Stretches>();

        await Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => Work.OnPoolAsync(async () =>
        {
            for (var round = 0; round < Rounds; round++)
            {
                var held = new Stretches();
                held.Open();
                using (AsyncProbeOperation.Start($"job {(worker % 2 == 0 ? "even" : "odd")}"))
                {
                    Measure(held, () => Thread.Sleep(1 + (round % 5)));
                    using (AsyncProbeOperation.Start("part"))
                    {
                        Measure(held, () => Spin(2));
                        using (AsyncProbeOperation.Start("detail"))
                        {
                            Measure(held, () => Thread.Sleep(round % 3));
                        }
                    }
                }

                held.Close();
                all.Add(held);
                await Task.Yield();
            }
        })));

        await app.OperationAsync("AsyncProbe: part", Workers * Rounds);
        var rows = (await app.ReportAsync()).GetProperty("operations").EnumerateArray().ToList();
        rows.Sum(r => r.Count("requests")).ShouldBe(3 * Workers * Rounds);
        rows.Sum(r => r.Ms("afterResponseMs")).ShouldBe(0);
        rows.Sum(r => r.Ms("heldMs")).ShouldBeInRange(all.Sum(h => h.Inside) - Rounding, all.Sum(h => h.Outside) + Rounding);
    }

    private static void Measure(Stretches held, Action work)
    {
        held.Begin();
        work();
        held.End();
    }

    private static void Spin(int ms)
    {
        for (var since = Stopwatch.StartNew(); since.ElapsedMilliseconds < ms;)
        {
        }
    }

    /// <summary>
    /// The time that a thread held for one row: at least from Begin to End, and at most from Open to Close.
    /// </summary>
    private sealed class Stretches
    {
        private long _beganAt;
        private long _openedAt;

        public double Inside { get; private set; }

        public double Outside { get; private set; }

        public void Open() => _openedAt = Stopwatch.GetTimestamp();

        public void Close() => Outside += Work.Milliseconds(_openedAt, Stopwatch.GetTimestamp());

        public void Begin() => _beganAt = Stopwatch.GetTimestamp();

        public void End() => Inside += Work.Milliseconds(_beganAt, Stopwatch.GetTimestamp());

        public void Add(Stretches other) => (Inside, Outside) = (Inside + other.Inside, Outside + other.Outside);
    }
}
