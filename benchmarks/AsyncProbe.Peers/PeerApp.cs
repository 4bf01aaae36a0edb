using System.Diagnostics;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Peers;

/// <summary>The application that every variant observes.</summary>
internal static class PeerApp
{
    // A fixed amount of work: a loop with a fixed duration would do less when something else slows it down.
    private static readonly int s_computeSteps = MeasureStepsOf200Microseconds();

    public static async Task<(WebApplication App, LoopServer Server)> StartAsync(Variant variant)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = variant.Environment });
        builder.Logging.ClearProviders();
        var server = new LoopServer();
        builder.Services.AddSingleton<IServer>(server);
        builder.Services.AddDbContext<Shop>(WorkerDatabase.Use);
        variant.Configure(builder.Services);

        var app = builder.Build();
        variant.Use(app);
        app.UseRouting();
        app.MapGet("/empty", (HttpContext _) => Task.CompletedTask);
        app.MapGet("/yields", Yields);
        app.MapGet("/compute", Compute);
        app.MapGet("/query", Query);
        app.MapGet("/query-async", QueryAsync);
        await CreateDatabaseAsync(app);
        await app.StartAsync();
        return (app, server);
    }

    private static async Task Yields(HttpContext context)
    {
        for (var i = 0; i < 10; i++)
        {
            await Task.Yield();
        }
    }

    private static Task Compute(HttpContext context)
    {
        Spin(s_computeSteps);
        return Task.CompletedTask;
    }

    private static Task Query(HttpContext context)
    {
        var shop = context.RequestServices.GetRequiredService<Shop>();
        context.Items["name"] = shop.Products.Where(p => p.Id <= 10).OrderBy(p => p.Name).Select(p => p.Name).ToList();
        return Task.CompletedTask;
    }

    private static async Task QueryAsync(HttpContext context)
    {
        var shop = context.RequestServices.GetRequiredService<Shop>();
        context.Items["name"] = await shop.Products.Where(p => p.Id <= 10).OrderBy(p => p.Name).Select(p => p.Name).ToListAsync();
    }

    private static async Task CreateDatabaseAsync(WebApplication app)
    {
        await using var scope = app.Services.CreateAsyncScope();
        var shop = scope.ServiceProvider.GetRequiredService<Shop>();
        await shop.Database.EnsureDeletedAsync();
        await shop.Database.EnsureCreatedAsync();
        shop.Products.AddRange(Enumerable.Range(1, 200).Select(i => new Product { Id = i, Name = $"Product {i}" }));
        await shop.SaveChangesAsync();
    }

    private static int MeasureStepsOf200Microseconds()
    {
        const int Probe = 100_000;
        var best = double.MaxValue;
        for (var i = 0; i < 200; i++)
        {
            var start = Stopwatch.GetTimestamp();
            Spin(Probe);
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMicroseconds);
        }

        return (int)(Probe * 200 / best);
    }

    // Optimised from the first call; otherwise the calibration would measure different code.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static uint Spin(int steps)
    {
        var state = 1u;
        for (var i = 0; i < steps; i++)
        {
            state = (state * 1664525) + 1013904223;
        }

        return state;
    }
}
