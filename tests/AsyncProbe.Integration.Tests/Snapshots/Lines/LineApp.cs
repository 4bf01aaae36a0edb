using System.Diagnostics;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Integration.Tests.Snapshots.Lines;

/// <summary>
/// An app with production settings whose endpoints block as the rows do, and concurrent clients for all of them.
/// </summary>
internal sealed class LineApp : IAsyncDisposable
{
    private const int HookedRounds = 20;
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    // The last results are assigned to lines within a second.
    private static readonly TimeSpan s_afterwards = TimeSpan.FromSeconds(3);

    private readonly SemaphoreSlim _oneAtATime = new(1);
    private readonly SemaphoreSlim _hooked = new(4);
    private readonly WebApplication _upstream;
    private readonly ProbedApp _app;
    private readonly IReadOnlyList<(LineRow Row, string[] Positions)> _rows;
    private volatile bool _isOver;

    private LineApp(WebApplication upstream, ProbedApp app, IReadOnlyList<(LineRow Row, string[] Positions)> rows) =>
        (_upstream, _app, _rows) = (upstream, app, rows);

    public static async Task<LineApp> StartAsync(IReadOnlyList<(LineRow Row, string[] Positions)> rows)
    {
        ThreadPool.SetMinThreads(64, 64);
        var upstream = await StartUpstreamAsync();
        var app = await ProbedApp.StartAsync(
            app => Map(app, rows), "Production", builder => builder.Services.AddAsyncProbe().AddStackSnapshots());
        return new(upstream, app, rows);
    }

    /// <summary>Sends a fixed number of requests to rows that the hook sees, and keeps calling the others until it is enough.</summary>
    /// <param name="isEnough">Decides from the time elapsed and the report's figures for each row.</param>
    /// <returns>The report's final figures for each row.</returns>
    public async Task<IReadOnlyList<(LineRow Row, LineTime Time)>> RunAsync(
        Func<TimeSpan, IReadOnlyList<(LineRow Row, LineTime Time)>, bool> isEnough)
    {
        var clock = Stopwatch.StartNew();
        var unseen = Task.WhenAll(_rows.Where(asked => !asked.Row.IsHooked).SelectMany(
            asked => asked.Positions, (asked, position) => AskAllTheWhileAsync(asked.Row, position)));
        await Task.WhenAll(_rows.Where(asked => asked.Row.IsHooked).Select(asked => AskInTurnAsync(asked.Row, asked.Positions)));
        while (!unseen.IsFaulted && !isEnough(clock.Elapsed, await ReadAsync()))
        {
            await Task.Delay(s_pause);
        }

        _isOver = true;
        await unseen;
        await Task.Delay(s_afterwards);
        return await ReadAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        await _upstream.DisposeAsync();
        _oneAtATime.Dispose();
        _hooked.Dispose();
    }

    private static string Endpoint(LineRow row, string position) => $"{(row.NeedsSlowBody ? "POST" : "GET")} /{row.Path}/{position}";

    private async Task<IReadOnlyList<(LineRow Row, LineTime Time)>> ReadAsync()
    {
        var report = await _app.ReportAsync();
        var profile = await _app.TextAsync("/_threadpool/profile?format=collapsed");
        return
        [
            .. _rows.Select(asked => (asked.Row, LineTime.Read(
                report, profile, asked.Row, [.. asked.Positions.Select(position => Endpoint(asked.Row, position))]))),
        ];
    }

    private async Task AskInTurnAsync(LineRow row, string[] positions)
    {
        var turn = row.IsOneAtATime ? _oneAtATime : _hooked;
        await turn.WaitAsync();
        try
        {
            for (var round = 0; round < HookedRounds; round++)
            {
                foreach (var position in positions)
                {
                    await AskAsync(row, position);
                }
            }
        }
        finally
        {
            turn.Release();
        }
    }

    private async Task AskAllTheWhileAsync(LineRow row, string position)
    {
        while (!_isOver)
        {
            await AskAsync(row, position);
        }
    }

    private async Task AskAsync(LineRow row, string position)
    {
        var path = $"/{row.Path}/{position}";
        using var response = row.NeedsSlowBody
            ? await _app.Client.PostAsync(new Uri(path, UriKind.Relative), new SlowContent(Sins.WaitedForAsync))
            : await _app.GetAsync(path);
        response.EnsureSuccessStatusCode();
    }

    private static void Map(WebApplication app, IReadOnlyList<(LineRow Row, string[] Positions)> rows)
    {
        foreach (var (row, positions) in rows)
        {
            foreach (var position in positions)
            {
                app.Map($"/{row.Path}/{position}", In(position, row.Sin));
            }
        }
    }

    private static RequestDelegate In(string position, Action<HttpContext> sin) => position switch
    {
        "first" => context =>
        {
            sin(context);
            return Task.CompletedTask;
        },
        "later" => async context =>
        {
            await Task.Delay(1);
            sin(context);
        },
        _ => async context =>
        {
            await Task.Delay(1).ConfigureAwait(false);
            await Task.Delay(1).ConfigureAwait(false);
            sin(context);
        },
    };

    private static async Task<WebApplication> StartUpstreamAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var upstream = builder.Build();
        upstream.MapGet("/slow", async () =>
        {
            await Sins.WaitedForAsync();
            return "slow";
        });
        await upstream.StartAsync().WaitAsync(RunningApp.Timeout);
        Sins.Http = new HttpClient { BaseAddress = new Uri(upstream.Urls.First()), Timeout = RunningApp.Timeout };
        return upstream;
    }
}
