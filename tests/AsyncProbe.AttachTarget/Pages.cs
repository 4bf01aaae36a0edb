namespace Shop;

/// <summary>What the application serves, whatever hosts it.</summary>
internal static class Pages
{
    public static void AddServices(IServiceCollection services)
    {
        services.AddControllers();
        services.AddSignalR();
        services.AddScoped<Receipt>();
    }

    public static void UseMiddleware(IApplicationBuilder app)
    {
        Counters.Use(app);
        Failures.Use(app);
        app.UseExceptionHandler(failed => failed.Run(Waits.HandleFailureAsync));
        app.UseWebSockets();
    }

    public static void Map(IEndpointRouteBuilder app)
    {
        app.MapControllers();
        app.MapHub<StockHub>("/hub");
        app.MapGet("/fast", () => "fast");
        app.MapGet("/async", async () =>
        {
            await Task.Delay(20);
            return "async";
        });
        app.MapGet("/cpu", Waits.Compute);
        app.MapGet("/result", Waits.Result);
        app.MapGet("/sleep", Waits.Sleep);
        app.MapGet("/late", Waits.AfterAwaitAsync);
        app.MapGet("/lock", Waits.Lock);
        app.MapGet("/dispose", (Receipt receipt) => receipt.Number);
        app.MapGet("/fail", Waits.Fail);
        app.MapGet("/handled", Waits.Fail);
        app.MapGet("/stuck", Waits.Stuck);
        app.MapGet("/release", Waits.Release);
        app.MapGet("/starve", Waits.Starve);
        app.MapGet("/throw", Sockets.ThrowLateAsync);
        app.MapGet("/socket", Sockets.EchoAsync);
        app.MapGet("/timer", Timers.Start);
        app.MapGet("/cached", () => "cached").CacheOutput();
        app.MapGet("/aged", (HttpResponse response) => response.Headers.Age = "1");
        app.MapGet("/counters", Counters.Read);
    }
}
