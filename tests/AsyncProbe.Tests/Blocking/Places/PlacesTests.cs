using System.Collections.Concurrent;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Places;

/// <summary>Blocking outside handlers, after the response, in small pieces, and by many concurrent clients.</summary>
public sealed class PlacesTests
{
    [Fact]
    public async Task Middleware_IsBlamed_BeforeRouting()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.Use((context, next) =>
            {
                if (context.Request.Path == "/x")
                {
                    Waiting.ForTask();
                }

                return next(context);
            });
            a.MapGet("/x", () => "x");
        });

        await ShouldBlameAsync(app, "/x");
    }

    [Fact]
    public async Task LateRouting_IsWatchedBeforeItsEndpointIsKnown()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.Use((context, next) =>
            {
                if (context.Request.Path == "/x")
                {
                    Waiting.ForTask();
                }

                return next(context);
            });
            a.UseRouting();
            a.MapGet("/x", () => "x");
        });

        await app.GetManyAsync("/x", 1);
        await app.EndpointAsync("GET /x");

        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    [Fact]
    public async Task Filter_Factory_OnStarting_AndExceptionHandler_AreBlamed()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.UseExceptionHandler(handler => handler.Run(context =>
                {
                    Waiting.ForTask();
                    return Task.CompletedTask;
                }));
                a.MapGet("/filter", () => "x").AddEndpointFilter((context, next) =>
                {
                    Waiting.ForTask();
                    return next(context);
                });
                a.MapGet("/factory", (Slow _) => "x");
                a.MapGet("/on-starting", (HttpContext context) =>
                {
                    context.Response.OnStarting(() =>
                    {
                        Waiting.ForTask();
                        return Task.CompletedTask;
                    });
                    return "x";
                });
                a.MapGet("/throws", IResult () => throw new InvalidOperationException());
            },
            configure: b => b.Services.AddTransient(_ =>
            {
                Waiting.ForTask();
                return new Slow();
            }));

        await ShouldBlameAsync(app, "/filter");
        await ShouldBlameAsync(app, "/factory");
        await ShouldBlameAsync(app, "/on-starting");
        (await app.GetAsync("/throws")).Dispose();
        await app.EndpointAsync("GET /throws");
        (await app.SitesAsync("GET /throws")).ShouldHaveSingleItem();
    }

    [Fact]
    public async Task WorkAfterTheResponse_IsCountedAndBlamedApart()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var works = new ConcurrentBag<Task>();
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/wait", () => AfterResponse(() => Waiting.ForTask(400)));
            a.MapGet("/sleep", () => AfterResponse(() => Thread.Sleep(400)));

            void AfterResponse(Action work) => works.Add(Task.Run(async () =>
            {
                await go.Task;
                work();
            }));
        });

        await app.GetManyAsync("/wait", 1);
        await app.GetManyAsync("/sleep", 1);
        await app.EndpointAsync("GET /wait");
        await app.EndpointAsync("GET /sleep");

        // Each of the two threads needs a permit for the hook, and there may be no more than two. So send no request until they are done.
        await Eventually.TrueAsync(() => ArmedPermits.Taken == 0, "an earlier request still has its permit");
        go.SetResult();
        await Task.WhenAll(works).WaitAsync(ProbedApp.Timeout);

        foreach (var endpoint in new[] { "GET /wait", "GET /sleep" })
        {
            await Eventually.TrueAsync(
                async () => (await app.EndpointAsync(endpoint)).Ms("afterResponseMs") > 200,
                $"the work after the response of {endpoint} was not counted");
            (await app.EndpointAsync(endpoint)).Ms("blockedMs").ShouldBeLessThan(200);
        }

        // The hook names the wait; only the clock sees the sleep.
        var site = (await app.SitesAsync()).ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
        site.GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem().GetString().ShouldBe("GET /wait (after response)");
    }

    [Fact]
    public async Task UsersOwnContext_IsLeftAlone()
    {
        var seen = new List<string>();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/x", async () =>
        {
            SynchronizationContext.SetSynchronizationContext(new UserContext());
            seen.Add(SynchronizationContext.Current!.GetType().Name);
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            seen.Add(SynchronizationContext.Current!.GetType().Name);
        }));

        await app.GetManyAsync("/x", 1);

        seen.ShouldBe([nameof(UserContext), "BlockingContext"]);
    }

    [Fact]
    public async Task ManyClients_LoseNothing_AndNeverMixEndpoints()
    {
        var rows = CatalogueRow.All.Where(r => r is { NeedsSlowBody: false, Kind: not (null or "SyncHttp" or "Task.Result" or "Process") })
            .ToList();
        await using var app = await ProbedApp.StartAsync(a =>
        {
            foreach (var row in rows)
            {
                a.MapGet("/" + row.Method, (RequestDelegate)(async _ =>
                {
                    await Task.Delay(1);
                    row.Sin(null!);
                }));
            }
        });

        await Task.WhenAll(Enumerable.Range(0, 16).Select(async client =>
        {
            for (var i = 0; i < rows.Count; i++)
            {
                using var response = await app.GetAsync("/" + rows[(client + i) % rows.Count].Method);
                response.EnsureSuccessStatusCode();
            }
        }));

        var rowOf = rows.ToDictionary(r => r.At);
        var sites = (await app.SitesAsync()).Where(s => rowOf.ContainsKey(s.GetProperty("at").GetString()!)).ToList();
        sites.Count.ShouldBeGreaterThan(rows.Count / 2);
        foreach (var site in sites)
        {
            site.GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem().GetString()
                .ShouldBe("GET /" + rowOf[site.GetProperty("at").GetString()!].Method);
        }

        foreach (var row in rows)
        {
            (await app.EndpointAsync("GET /" + row.Method, 16)).Count("requests").ShouldBe(16);
        }
    }

    private static async Task ShouldBlameAsync(ProbedApp app, string path)
    {
        await app.GetManyAsync(path, 1);
        await app.EndpointAsync("GET " + path);
        (await app.SitesAsync("GET " + path)).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    private sealed class Slow;

    private sealed class UserContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => base.Post(d, state);
    }
}
