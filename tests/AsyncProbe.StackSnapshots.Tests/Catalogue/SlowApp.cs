using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>
/// An app with an endpoint for every sin in each of the three positions, with a request for each of them always in flight.
/// </summary>
public abstract class SlowApp(string detection) : IAsyncLifetime
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private volatile bool _isOver;
    private (int Workers, int IO) _minThreads;
    private Task[] _callers = [];
    private ProbedApp? _app;

    internal ProbedApp App => _app!;

    public async Task InitializeAsync()
    {
        // One thread for each request that blocks, and some for the requests that ask.
        ThreadPool.GetMinThreads(out _minThreads.Workers, out _minThreads.IO);
        ThreadPool.SetMinThreads(64, 64);
        SlowSins.End.Reset();
        _app = await ProbedApp.StartAsync(
            app =>
            {
                foreach (var row in SlowRow.All)
                {
                    app.MapGet($"/{row.Method}/first", Returning(row.Sin));
                    app.MapGet($"/{row.Method}/later", (RequestDelegate)(async _ =>
                    {
                        await Task.Delay(1);
                        row.Sin();
                    }));
                    app.MapGet($"/{row.Method}/library", (RequestDelegate)(async _ =>
                    {
                        await Task.Delay(1).ConfigureAwait(false);
                        await Task.Delay(1).ConfigureAwait(false);
                        row.Sin();
                    }));
                }
            },
            configure: builder =>
            {
                builder.Configuration["AsyncProbe:Detection"] = detection;
                builder.Configuration["AsyncProbe:StackSnapshots:Interval"] = "00:00:01";
                builder.Services.AddAsyncProbe().AddStackSnapshots();
            });
        _callers = [.. SlowRow.All.SelectMany(row => SlowRow.Positions, (row, position) => KeepAskingAsync($"/{row.Method}/{position}"))];
    }

    public async Task DisposeAsync()
    {
        _isOver = true;
        SlowSins.End.Set();
        await Task.WhenAll(_callers).WaitAsync(ProbedApp.Timeout);
        await App.DisposeAsync();
        ThreadPool.SetMinThreads(_minThreads.Workers, _minThreads.IO);
    }

    /// <summary>Completes once a sin has recorded the line in which it blocks.</summary>
    internal static Task HasBegunAsync(string method) =>
        Eventually.TrueAsync(() => Task.FromResult(Here.Knows($"SlowSins.{method}")), $"{method} did not begin");

    /// <summary>
    /// The endpoint's worst site from snapshots, once it is at the given place: snapshots may also have seen a stall before the sin.
    /// </summary>
    internal Task<JsonElement> SiteAsync(string endpoint, string at, int line) => Eventually.FoundAsync(
        async () => (await App.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Where(
                s => s.GetProperty("sampled").GetBoolean()
                    && s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == endpoint))
            .Take(1).FirstOrDefault(s => s.GetProperty("at").GetString() == at && s.GetProperty("line").GetInt32() == line),
        () => $"{endpoint} has no site at {at}, line {line}",
        s_timeout);

    /// <summary>The endpoint's row among the threads held now, once it is held at the given place.</summary>
    internal Task<JsonElement> NowAsync(string endpoint, string at) => Eventually.FoundAsync(
        async () => (await App.ReportAsync()).GetProperty("now").EnumerateArray()
            .FirstOrDefault(n => n.GetProperty("endpoint").GetString() == endpoint && n.GetProperty("at").GetString() == at),
        () => $"{endpoint} is not held at {at}",
        s_timeout);

    private static RequestDelegate Returning(Action sin) => _ =>
    {
        sin();
        return Task.CompletedTask;
    };

    private async Task KeepAskingAsync(string path)
    {
        using var client = new HttpClient { BaseAddress = App.Client.BaseAddress, Timeout = Timeout.InfiniteTimeSpan };
        while (!_isOver)
        {
            using var response = await client.GetAsync(new Uri(path, UriKind.Relative));
        }
    }
}

/// <summary>Without the wait hook: all information comes from snapshots.</summary>
public sealed class UnarmedSlowApp() : SlowApp("Off");

/// <summary>With the wait hook, as in Development.</summary>
public sealed class ArmedSlowApp() : SlowApp("Always");
