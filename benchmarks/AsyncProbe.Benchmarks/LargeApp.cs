using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// A host's counts as a large app leaves them after a quarter of an hour: every table full, a verdict for every endpoint, a call site for
/// every second one, and stacks as deep as those of a request.
/// </summary>
internal sealed class LargeApp : IDisposable
{
    public const int Endpoints = 1000;
    public const int Sites = 500;

    private const int HistorySeconds = 900;
    private const int StackDepth = 12;

    private readonly ServiceProvider _services;

    public LargeApp(bool includesStacks)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment>(new Production());
        services.AddAsyncProbe(o => o.IncludeStacks = includesStacks);
        _services = services.BuildServiceProvider();
        Reports = _services.GetRequiredService<ReportBuilder>();
        Text = _services.GetRequiredService<ReportText>();
        Metrics = _services.GetRequiredService<PrometheusText>();
        CountRequests();
        CountWaits();
        CountSeconds();
    }

    public ReportBuilder Reports { get; }

    public ReportText Text { get; }

    public PrometheusText Metrics { get; }

    public void Dispose() => _services.Dispose();

    private static string RouteOf(int i) => $"/api/v{i % 3}/area{i % 17}/Resource{i}/{{id:int}}/details";

    private void CountRequests()
    {
        var table = _services.GetRequiredService<EndpointTable>();
        var random = new Random(1);
        for (var i = 0; i < Endpoints; i++)
        {
            var endpoint = new RouteEndpoint(
                _ => Task.CompletedTask, RoutePatternFactory.Parse(RouteOf(i)), 0, EndpointMetadataCollection.Empty, null);
            var totals = table.GetOrAdd(endpoint, "GET");
            for (var request = 0; request < 40; request++)
            {
                var cpu = Between(50, 8_000);
                var blocked = i % 2 == 0 ? Between(5_000, 400_000) : Duration.Zero;
                var cpuWait = Between(0, 900);
                var split = new HeldSplit(cpu + cpuWait + blocked, cpu, cpuWait, default, blocked);
                totals.Begin();
                totals.End(split, split, 2, split.Held + Between(0, 90_000), RequestOutcome.None);
            }
        }

        Duration Between(int least, int most) => Duration.FromMicroseconds(random.Next(least, most));
    }

    private void CountWaits()
    {
        var (sites, frames) = (_services.GetRequiredService<BlockingSites>(), _services.GetRequiredService<Frames>());
        var stack = Deep(StackDepth);

        // AsyncProbe's own methods have distinct names, files and lines.
        var methods = typeof(ReportBuilder).Assembly.GetTypes()
            .SelectMany(
                type => type.GetMethods(
                    BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Where(method => method.GetMethodBody() is not null)
            .Select(frames.Get)
            .DistinctBy(frame => frame.FullName)
            .Take(Sites);
        foreach (var (method, i) in methods.Select((method, i) => (method, i)))
        {
            var site = sites.GetOrAdd(
                new BlameFrame(WaitKind.TaskWait, method, 0, frames.Get(typeof(Task).GetMethod("Wait", [])!)), null, stack, frames);
            site.Add(Duration.FromMicroseconds(30_000 + (i * 10)), $"GET {RouteOf(2 * i)}");
        }
    }

    private void CountSeconds()
    {
        var history = _services.GetRequiredService<PoolMonitor>().History;
        for (var i = 0; i < HistorySeconds; i++)
        {
            history.Add(
                new PoolSecond(
                    DateTime.UtcNow.AddSeconds(i - HistorySeconds), 12 + (i % 5), i % 7, 3, Duration.FromMicroseconds(123 + i), 2, 17.25));
        }
    }

    // Mixes its own frames with the library's, as in an app.
    private static StackTrace Deep(int depth) =>
        depth == 0 ? new StackTrace() : Enumerable.Range(depth, 1).Select(i => Deep(i - 1)).First();
}
