using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking;

/// <summary>Blocking outside of handlers, after the response, in small pieces, and by many clients at once.</summary>
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
    public async Task WorkAfterTheResponse_IsBlamedApart()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/x", () =>
        {
            _ = Task.Run(async () =>
            {
                await go.Task;
                Waiting.ForTask();
            });
        }));

        await app.GetManyAsync("/x", 1);
        await app.EndpointAsync("GET /x");
        go.SetResult();

        await Waiting.EventuallyAsync(async () => (await app.SitesAsync("GET /x (after response)")).Length == 1, "the work after the response was not seen");
        (await app.SitesAsync("GET /x")).ShouldBeEmpty();
    }

    [Fact]
    public async Task UsersOwnContext_IsLeftAlone()
    {
        var seen = new List<string>();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/x", async () =>
        {
            SynchronizationContext.SetSynchronizationContext(new UserContext());
            seen.Add(SynchronizationContext.Current!.GetType().Name);
            await Task.Delay(1).ConfigureAwait(false);
            seen.Add(SynchronizationContext.Current!.GetType().Name);
        }));

        await app.GetManyAsync("/x", 1);

        seen.ShouldBe([nameof(UserContext), "BlockingContext"]);
    }

    [Fact]
    public async Task ManyShortWaits_AddUpToOneLongOne()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/x", () =>
        {
            // A handle, because it does not spin: a semaphore would spin most of 2 ms away on a crowded machine.
            using var never = new ManualResetEvent(false);
            for (var i = 0; i < 200; i++)
            {
                never.WaitOne(2);
            }
        }));

        await app.GetManyAsync("/x", 1);
        var row = await app.EndpointAsync("GET /x");

        (await app.SitesAsync("GET /x")).ShouldHaveSingleItem().Count("count").ShouldBeGreaterThan(150);
        row.GetProperty("explained").GetDouble().ShouldBeInRange(0.9, 1);
    }

    [Fact]
    public async Task ManyClients_LoseNothing_AndNeverMixEndpoints()
    {
        var rows = CatalogueRow.All.Where(r => r.Kind is not (null or "SyncHttp" or "Task.Result" or "Process")).ToList();
        await using var app = await ProbedApp.StartAsync(a =>
        {
            foreach (var row in rows)
            {
                a.MapGet("/" + row.Method, (RequestDelegate)(async _ =>
                {
                    await Task.Delay(1);
                    row.Sin();
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

        var sites = (await app.SitesAsync()).Where(s => s.GetProperty("at").GetString()!.StartsWith("Sins.", StringComparison.Ordinal)).ToList();
        sites.Count.ShouldBeGreaterThan(rows.Count / 2);
        foreach (var site in sites)
        {
            site.GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem().GetString().ShouldBe("GET /" + site.GetProperty("at").GetString()!["Sins.".Length..]);
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
