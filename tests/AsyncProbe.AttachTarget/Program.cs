using Shop;

if (args.Contains("--web-host"))
{
    await OldHost.RunAsync(args);
    return;
}

if (args.Contains("--worker"))
{
    await StockWorker.RunAsync(args);
    return;
}

var builder = args.Contains("--slim") ? WebApplication.CreateSlimBuilder(args)
    : args.Contains("--empty") ? EmptyHost.CreateBuilder(args)
    : WebApplication.CreateBuilder(args);
Pages.AddServices(builder.Services);
if (!args.Contains("--logging"))
{
    builder.Logging.ClearProviders();
}

if (args.Contains("--cache"))
{
    builder.Services.AddOutputCache();
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
Pages.UseMiddleware(app);
if (args.Contains("--cache"))
{
    app.UseOutputCache();
}

Pages.Map(app);
await app.StartAsync();
Started.Report(app.Urls);
await app.WaitForShutdownAsync();
