using System.Text.Json;
using AsyncProbe.Rules;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Integration.Tests.Snapshots.ShortWaits;

/// <summary>Waits too short for a snapshot, with production settings, all in one process at the same time.</summary>
public sealed class ShortSinsTests
{
    // Allows for a second to see that the time is unexplained, the first window's list of all methods, and a crowded machine.
    private static readonly TimeSpan s_soon = TimeSpan.FromSeconds(90);

    // How far a share of a mixed endpoint's time may be from the truth.
    private const double MostOff = 0.15;

    // A line keeps what the first hits gave it, and later hits divide only later time. So the load goes on for this many times as long.
    private const int GoesOnFor = 4;

    private static readonly int[] s_naps = [5, 10, 20, 50, 100];

    [Fact]
    public async Task ShortWaits_AreNamedWithTheirLine_HoweverShort()
    {
        ThreadPool.SetMinThreads(64, 64);
        using var sins = new ShortSins();
        List<(string Path, Action Sin, string Method, int Clients)> rows =
        [
            .. s_naps.SelectMany(
                ms => new[] { 1, 4 }, (ms, clients) => ($"/nap/{ms}/{clients}", (Action)(() => ShortSins.Nap(ms)), "Nap", clients)),
            ("/native", ShortSins.NativeNap, "NativeNap", 1),
            ("/pipe", sins.ReadPipe, "ReadPipe", 1),
            .. sins.HasSlowFile ? [("/file", sins.ReadSlowFile, "ReadSlowFile", 1)] : Array.Empty<(string, Action, string, int)>(),
            ("/sqlite", sins.WriteToLockedDatabase, "WriteToLockedDatabase", 1),
            ("/work", ShortSins.WorkAndNap, "Nap", 1),
        ];
        await using var app = await StartAsync(a =>
        {
            for (var i = 0; i < rows.Count; i++)
            {
                a.MapGet(rows[i].Path, InPosition(i % 3, rows[i].Sin));
            }
        });
        await using var clients = new Clients(app, rows.Select(r => (r.Path, r.Clients)));

        foreach (var row in rows)
        {
            JsonElement worst = default;
            await Eventually.TrueAsync(
                async () => (worst = (await app.SitesAsync("GET " + row.Path)).FirstOrDefault()).ValueKind == JsonValueKind.Object
                    && worst.GetProperty("at").GetString() == $"ShortSins.{row.Method}" && worst.Count("hits") >= 5,
                () => $"{row.Path} is not named: {worst}",
                s_soon);
            worst.Count("line").ShouldBe(Here.LineOf($"ShortSins.{row.Method}"), row.Path);
            worst.GetProperty("sampled").GetBoolean().ShouldBeTrue();
            worst.GetProperty("file").GetString().ShouldEndWith("ShortSins.cs");
        }

        foreach (var row in rows.Where(row => row.Path == "/file"))
        {
            (await app.SitesAsync("GET " + row.Path))[0].GetProperty("provider").GetString().ShouldBe(SynchronousProvider.Files.Name);
        }

        (await app.SitesAsync("GET /work")).Where(s => s.GetProperty("sampled").GetBoolean())
            .ShouldAllBe(s => s.GetProperty("at").GetString() == "ShortSins.Nap");
    }

    [Fact]
    public async Task MixedEndpoint_IsDividedAmongItsLines_AsTheThreadsClockDivides()
    {
        using var sins = new ShortSins();
        await using var app = await StartAsync(
            a => a.MapGet("/mixed", (HttpContext context) => sins.Mixed(context.Features.Get<IAsyncProbeFeature>()!)));

        var sites = await DivideAsync(app, "/mixed");

        var off = Enumerable.Range(1, 3).Max(part => Math.Abs(ShareAt(sites, part) - sins.MixedShare(part)));
        off.ShouldBeLessThanOrEqualTo(
            MostOff,
            $"the threads' clock says {string.Join(", ", Enumerable.Range(1, 3).Select(part => sins.MixedShare(part)))} of "
                + string.Join(", ", sites));

        // The flame graph shows the same time, sampled or timed.
        await Eventually.TrueAsync(
            async () =>
            {
                var sited = (await app.SitesAsync("GET /mixed")).Sum(s => s.Ms("blockedMs", "total"));
                using var tree = JsonDocument.Parse(await app.TextAsync("/_threadpool/profile?format=tree&endpoint=mixed"));
                return Math.Abs(tree.RootElement.GetProperty("blockedMs").GetDouble() - sited) < 0.1;
            },
            "the flame graph does not come to the same time");
    }

    // The hook watches only what comes after routing, and sees no sleep at all.
    [Fact]
    public async Task SleepBeforeRouting_HasItsOwnTime_AndNotTheHandlers()
    {
        // A wait for a task would spin first, and on a busy machine a part of it would be a wait for a core.
        using var never = new ManualResetEvent(initialState: false);
        await using var app = await StartAsync(a =>
        {
            a.Use(async (context, next) =>
            {
                await Task.Yield();
                if (context.Request.Path == "/early")
                {
                    ShortSins.Nap(30);
                }

                await next(context);
            });
            a.UseRouting();
            a.MapGet("/early", () => { never.WaitOne(20); });
        });

        var sites = await DivideAsync(app, "/early");

        var nap = sites.Where(s => s.GetProperty("at").GetString() == "ShortSins.Nap").Sum(s => s.Ms("blockedMs", "total"));
        (nap / sites.Sum(s => s.Ms("blockedMs", "total"))).ShouldBe(0.6, MostOff, string.Join('\n', sites));
    }

    /// <summary>The sites of an endpoint with several, once its time is assigned to them.</summary>
    private static async Task<JsonElement[]> DivideAsync(ProbedApp app, string path)
    {
        JsonElement[] sites = [];
        var enough = long.MaxValue;
        await using (new Clients(app, [(path, 1)]))
        {
            await Eventually.TrueAsync(
                async () =>
                {
                    sites = await app.SitesAsync("GET " + path);
                    var requests = (await app.EndpointAsync("GET " + path)).Count("requests");
                    if (enough == long.MaxValue && sites.Sum(s => s.Count("hits")) >= 20)
                    {
                        enough = requests * GoesOnFor;
                    }

                    return requests >= enough;
                },
                () => $"too few hits: {string.Join(", ", sites)}",
                s_soon);
        }

        // The last results are assigned to the sites within a second.
        double blocked = 0;
        await Eventually.TrueAsync(
            async () =>
            {
                blocked = (await app.EndpointAsync("GET " + path)).Ms("blockedMs", "total");
                sites = await app.SitesAsync("GET " + path);
                return sites.Sum(s => s.Ms("blockedMs", "total")) >= 0.95 * blocked;
            },
            () => $"{blocked} ms blocked, of which sites have {string.Join(", ", sites)}");
        return sites;
    }

    private static double ShareAt(JsonElement[] sites, int part) =>
        sites.Where(s => s.GetProperty("line").ValueKind == JsonValueKind.Number && s.Count("line") == Here.LineOf($"ShortSins.Mixed{part}"))
            .Sum(s => s.Ms("blockedMs", "total")) / sites.Sum(s => s.Ms("blockedMs", "total"));

    private static Task<ProbedApp> StartAsync(Action<WebApplication> map) =>
        ProbedApp.StartAsync(map, "Production", b => b.Services.AddAsyncProbe().AddStackSnapshots());

    private static RequestDelegate InPosition(int position, Action sin) => position switch
    {
        0 => _ =>
        {
            sin();
            return Task.CompletedTask;
        },
        1 => async _ =>
        {
            await Task.Yield();
            sin();
        },
        _ => async _ =>
        {
            await Task.Delay(1).ConfigureAwait(false);
            await Task.Delay(1).ConfigureAwait(false);
            sin();
        },
    };

    /// <summary>Clients that send requests without a pause until they are disposed.</summary>
    private sealed class Clients : IAsyncDisposable
    {
        private readonly List<Task> _all;
        private volatile bool _isOver;

        public Clients(ProbedApp app, IEnumerable<(string Path, int Count)> rows) =>
            _all = [.. rows.SelectMany(r => Enumerable.Range(0, r.Count), (r, _) => AskAsync(app, r.Path))];

        public async ValueTask DisposeAsync()
        {
            _isOver = true;
            await Task.WhenAll(_all).WaitAsync(ProbedApp.Timeout);
        }

        private async Task AskAsync(ProbedApp app, string path)
        {
            while (!_isOver)
            {
                (await app.GetAsync(path)).EnsureSuccessStatusCode().Dispose();
                if (path == "/work")
                {
                    // The others need the cores as well.
                    await Task.Delay(50);
                }
            }
        }
    }
}
