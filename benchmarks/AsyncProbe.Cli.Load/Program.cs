// The server that run.sh loads: endpoints whose cost or delay is known by construction.
var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
var app = builder.Build();
var counter = 0;

app.MapGet("/plain", () => "hello");

app.MapGet("/delay/{ms:int}", async (int ms) =>
{
    await Task.Delay(ms);
    return "hello";
});

// Nine of ten answers after 20 ms, every tenth after 300: the median is 20, the 99th percentile 300.
app.MapGet("/known", async () =>
{
    await Task.Delay(Interlocked.Increment(ref counter) % 10 == 0 ? 300 : 20);
    return "hello";
});

await app.RunAsync();
