using System.Net.WebSockets;
using AsyncProbe;
using AsyncProbe.FaultHost;
using AsyncProbe.TestServer;
using AsyncProbe.TruthServer;
using Microsoft.AspNetCore.Server.Kestrel.Core;

// A server that is pushed to its limits. Every answer is known in advance, so that a wrong one shows.
// --probe off leaves AsyncProbe out. --lifeline N gives it a lifeline. --ban starting|started forbids new threads from then on.
// --detection off|always|whenBlocking says which requests carry the wait hook.
// --blockers true adds the endpoints of Blockers, --max-workers N caps the pool.
// --legacy true routes controllers as MVC did before endpoints. --state FILE is where the state of the places is written at the end.
// --cold FILE names places of rewritten packages, which then fail when they are first reached after the start.
var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.Logging.AddFilter("Microsoft.Hosting.Lifetime", LogLevel.Information);
builder.WebHost.ConfigureKestrel(kestrel =>
{
    kestrel.Listen(System.Net.IPAddress.Loopback, builder.Configuration.GetValue("port", 0), listener => listener.Protocols = HttpProtocols.Http1);
    kestrel.Listen(System.Net.IPAddress.Loopback, builder.Configuration.GetValue("port2", 0), listener => listener.Protocols = HttpProtocols.Http2);
});

var hasBlockers = builder.Configuration.GetValue<bool>("blockers");
if (hasBlockers)
{
    builder.Services.AddMvc(mvc => mvc.EnableEndpointRouting = !builder.Configuration.GetValue<bool>("legacy"));
    builder.Services.AddTransient<Parts.Constructed>();
    builder.Logging.AddProvider(new ReadingLogger());
    builder.Logging.AddFilter<ReadingLogger>("AsyncProbe", LogLevel.Information);
    await SlowDatabase.WarmAsync();
}

if (builder.Configuration.GetValue<int?>("max-workers") is { } workers)
{
    ThreadPool.SetMinThreads(2, 1);
    ThreadPool.SetMaxThreads(workers, 1000);
}

if (builder.Configuration["ban"] is { } ban)
{
    builder.Services.AddSingleton<IHostedService>(new ThreadBan(ban));
}

var isProbed = builder.Configuration["probe"] != "off";
if (isProbed)
{
    Probing.Add(builder.Services, builder.Configuration.GetValue<int?>("lifeline"),
        builder.Configuration.GetValue("detection", BlockingDetection.Always));
}

if (builder.Configuration["ban"] == "starting")
{
    builder.Services.AddHostedService<ThreadBan.End>();
}

var app = builder.Build();
if (isProbed)
{
    app.UseAsyncProbe();
    app.MapAsyncProbe();
    app.MapHealthChecks("/health");
}

if (hasBlockers)
{
    Blockers.Map(app, builder.Configuration.GetValue<bool>("legacy"));
    Misuse.Map(app);
    app.MapGet("/blockers", () => Blockers.Paths);
    app.MapGet("/needs-pool", (int ms) => Task.Run(() => { }).Wait(ms) ? "done" : "given up");
    app.MapGet("/occupy", (int items, int ms, int seconds) => Occupation.Start(items, ms, seconds));
}

app.UseWebSockets();
var gate = new Lock();

app.MapGet("/ok", async () =>
{
    for (var i = 0; i < 3; i++)
    {
        await Task.Yield();
    }

    return "ok";
});
app.MapGet("/yields", async () =>
{
    for (var i = 0; i < 50; i++)
    {
        await Task.Yield();
    }

    return "yielded";
});
app.MapGet("/contentions", () => Monitor.LockContentionCount);
app.MapGet("/plain", () => "plain");
app.MapGet("/sleep", () =>
{
    Thread.Sleep(20);
    return "slept";
});
app.MapGet("/wait", () =>
{
    Task.Delay(10).Wait();
    return "waited";
});
app.MapGet("/lock", () =>
{
    lock (gate)
    {
        Thread.Sleep(2);
    }

    return "locked";
});
app.MapGet("/outside", async () =>
{
    var source = new TaskCompletionSource();
    new Thread(source.SetResult).Start();
    await source.Task;
    return "from outside";
});
app.MapPost("/echo", async (HttpRequest request) =>
{
    using var reader = new StreamReader(request.Body);
    return await reader.ReadToEndAsync();
});
app.MapGet("/late", () =>
{
    _ = Task.Run(async () =>
    {
        await Task.Delay(5);
        Thread.Sleep(5);
    });
    return "more to come";
});
app.MapGet("/operation", async () =>
{
    using (AsyncProbeOperation.Start("fault bench"))
    {
        await Task.Yield();
        Thread.Sleep(2);
    }

    return "operated";
});
app.MapGet("/throw", IResult () => throw new InvalidOperationException("on purpose"));
app.MapGet("/stream", async (HttpResponse response) =>
{
    for (var i = 0; i < 12; i++)
    {
        await response.WriteAsync("x");
        await response.Body.FlushAsync();
        await Task.Delay(100);
    }
});
app.Map("/socket", async (HttpContext context) =>
{
    using var socket = await context.WebSockets.AcceptWebSocketAsync();
    var buffer = new byte[64];
    while (await socket.ReceiveAsync(buffer, context.RequestAborted) is { MessageType: not WebSocketMessageType.Close } message)
    {
        await socket.SendAsync(buffer.AsMemory(0, message.Count), message.MessageType, true, context.RequestAborted);
    }
});

app.MapPost("/hog/{what}", (string what) => what switch
{
    "memory" => Take(Hog.TakeMemory),
    "descriptors" => Take(() => Hog.TakeDescriptors()),
    _ => Take(Hog.LetGo),
});
app.MapPost("/unload", Unloading.RunAsync);
app.MapPost("/second", async () =>
{
    var second = WebApplication.CreateSlimBuilder();
    second.Logging.ClearProviders();
    second.WebHost.UseUrls("http://127.0.0.1:0");
    Probing.Add(second.Services, null);
    await using var other = second.Build();
    other.UseAsyncProbe();
    var hasBegun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    other.MapGet("/long", () =>
    {
        hasBegun.SetResult();
        return Task.Delay(200);
    });
    await other.StartAsync();
    using var client = new HttpClient { BaseAddress = new Uri(other.Urls.First()) };
    var running = client.GetAsync("/long");
    await hasBegun.Task;
    await other.DisposeAsync();
    try
    {
        using var answer = await running;
    }
    catch (Exception e) when (e is HttpRequestException or OperationCanceledException or IOException)
    {
        // The host is gone.
    }

    return "disposed";
});

app.MapPost("/faults/arm", async (HttpRequest request) =>
{
    using var reader = new StreamReader(request.Body);
    ArmAll(await reader.ReadToEndAsync());
    return "armed";
});
app.MapPost("/faults/disarm", () =>
{
    FaultSwitch.Disarm();
    return "disarmed";
});
app.MapGet("/faults/state", FaultSwitch.Describe);

app.Lifetime.ApplicationStarted.Register(() =>
{
    if (builder.Configuration["cold"] is { } file)
    {
        ArmAll(File.ReadAllText(file));
    }
});
using var meters = new ReadingMeters();
await app.RunAsync();
if (builder.Configuration["state"] is { } state)
{
    await File.WriteAllTextAsync(state, FaultSwitch.Describe());
}

static string Take(Action action)
{
    action();
    return "done";
}

static void ArmAll(string places)
{
    foreach (var place in places.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
    {
        FaultSwitch.Arm(int.Parse(place, System.Globalization.CultureInfo.InvariantCulture));
    }
}
