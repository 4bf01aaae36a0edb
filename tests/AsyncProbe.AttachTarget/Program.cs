using Shop;

var builder = args.Contains("--slim") ? WebApplication.CreateSlimBuilder(args) : WebApplication.CreateBuilder(args);
builder.Services.AddControllers();
builder.Services.AddSignalR();
builder.Services.AddScoped<Receipt>();
if (!args.Contains("--logging"))
{
    builder.Logging.ClearProviders();
}

#if PACKAGE
builder.Services.AddAsyncProbe(options => options.AllowLocal = true).AddStackSnapshots();
#endif

var app = builder.Build();
#if PACKAGE
if (!args.Contains("--unused"))
{
    app.UseAsyncProbe();
    app.MapAsyncProbe();
}
#endif
Counters.Use(app);
app.UseExceptionHandler(failed => failed.Run(Waits.HandleFailureAsync));
app.UseWebSockets();
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
app.MapGet("/stuck", Waits.Stuck);
app.MapGet("/release", Waits.Release);
app.MapGet("/starve", Waits.Starve);
app.MapGet("/throw", Sockets.ThrowLateAsync);
app.MapGet("/socket", Sockets.EchoAsync);
app.MapGet("/counters", Counters.Read);
await app.StartAsync();
Console.WriteLine($"Now listening on: {app.Urls.First()}");
Console.WriteLine("Application started");
await app.WaitForShutdownAsync();
