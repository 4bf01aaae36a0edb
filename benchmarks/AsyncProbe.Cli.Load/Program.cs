// The server that run.sh loads. Its endpoints have a cost or delay that is known by construction.
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

// Nine of ten responses take 20 ms, every tenth takes 300 ms: the median is 20 ms, the 99th percentile 300 ms.
app.MapGet("/known", async () =>
{
    await Task.Delay(Interlocked.Increment(ref counter) % 10 == 0 ? 300 : 20);
    return "hello";
});

await app.RunAsync();
