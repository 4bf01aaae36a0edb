using System.Runtime.CompilerServices;
using AsyncProbe;
using AsyncProbe.TestServer;

// A server with known costs, for tests and benchmarks that need a separate process.
// --urls, --AsyncProbe:* and --environment work as everywhere; --probe off leaves AsyncProbe out; --snapshots true adds stack snapshots;
// --max-workers N caps the pool. --hub true adds an empty hub, --sources none measures no operations, and --activities true lets every
// activity exist and does nothing with it.
// --thread-clocks false simulates a platform without thread clocks, --run-queue false one that doesn't report waits for a core, and
// --context-notifications false a runtime that doesn't report when a request's code continues after an await.
// "listen PATH" makes this the other process, behind a Unix socket.
if (args is ["listen", var socket])
{
    UnixListener.Run(socket);
    return;
}

var builder = WebApplication.CreateSlimBuilder(args);
AppContext.SetSwitch("AsyncProbe.ThreadClocks", builder.Configuration.GetValue("thread-clocks", true));
AppContext.SetSwitch("AsyncProbe.ContextNotifications", builder.Configuration.GetValue("context-notifications", true));
AppContext.SetSwitch("AsyncProbe.RunQueue", builder.Configuration.GetValue("run-queue", true));

// The process that started it reads the report directly, without a proxy in between.
builder.Configuration["AsyncProbe:AllowLocal"] ??= "true";
builder.Logging.SetMinimumLevel(builder.Configuration.GetValue("log", LogLevel.Warning));

builder.Logging.AddProvider(new ToldAfter());

var isProbed = builder.Configuration["probe"] != "off";
if (isProbed)
{
    var probe = builder.Services.AddAsyncProbe();
    if (builder.Configuration.GetValue<bool>("snapshots"))
    {
        probe.AddStackSnapshots();
    }

    builder.Services.AddHealthChecks().AddAsyncProbe();
    if (builder.Configuration["sources"] == "none")
    {
        builder.Services.PostConfigure<AsyncProbeOptions>(o => o.ActivitySources.Clear());
    }
}

if (builder.Configuration.GetValue<bool>("activities"))
{
    IdleListener.Add();
}

var hasHub = builder.Configuration.GetValue<bool>("hub");
if (hasHub)
{
    builder.Services.AddSignalR();
}

if (builder.Configuration.GetValue<int?>("min-workers") is { } minimum)
{
    ThreadPool.SetMinThreads(minimum, 1);
}

if (builder.Configuration.GetValue<int?>("max-workers") is { } workers)
{
    // Set the minimum first: a maximum below the minimum is refused.
    ThreadPool.SetMinThreads(workers, 1);
    ThreadPool.SetMaxThreads(workers, 1000);
}

var app = builder.Build();
if (isProbed)
{
    app.UseAsyncProbe();
    app.MapAsyncProbe();
    app.MapHealthChecks("/health");
}

if (builder.Configuration.GetValue<bool>("constant-headers"))
{
    // What the server itself needs for the same number of headers of the same length.
    app.Use((context, next) =>
    {
        context.Response.OnStarting(ConstantHeaders.Write, context.Response);
        return next(context);
    });
}

app.MapGet("/plain", () => "ok");
app.MapGet("/dynamic-code", () => RuntimeFeature.IsDynamicCodeSupported);

// The blocking ones return the milliseconds that they measured themselves.
app.MapGet("/sleep", (int ms) => Blocked.ByClock(() => Thread.Sleep(ms)));

app.MapGet("/sleep/first", (int ms) => Positions.First(ms));
app.MapGet("/sleep/later", (int ms) => Positions.LaterAsync(ms));
app.MapGet("/sleep/library", (int ms) => Positions.LibraryAsync(ms));

app.MapGet("/resolve/first", (string name) => Resolving.Resolve(name));
app.MapGet("/resolve/later", (string name) => Resolving.ResolveLaterAsync(name));
app.MapGet("/resolve/library", (string name) => Resolving.ResolveInLibraryAsync(name));

app.MapGet("/task-wait", (int ms) => Blocked.ByClock(Task.Delay(ms).Wait));

// Blocks on code whose awaits are completed by the server's own threads, so it doesn't need a pool thread to continue.
app.MapGet("/outside", (int ms) => Blocked.ByClock(() => _ = OtherThread.AwaitAsync(ms).Result));

// The same inside two operations, as in a consumer.
app.MapGet("/outside-in-operations", (int ms) =>
{
    using (AsyncProbeOperation.Start("receive"))
    using (AsyncProbeOperation.Start("process"))
    {
        return Blocked.ByClock(() => _ = OtherThread.AwaitAsync(ms).Result);
    }
});

app.MapGet("/hang", (int ms) => Blocked.ByClock(() => OtherThread.After(ms).Wait()));

var release = new TaskCompletionSource();
app.MapGet("/hang-until-released", () => Blocked.ByClock(release.Task.Wait));
app.MapGet("/release", () => release.TrySetResult());

// Waits until a file exists: a pool whose threads all wait can't serve a request that would release them.
app.MapGet("/hang-until-file", (string path) =>
{
    while (!File.Exists(path))
    {
        Thread.Sleep(20);
    }
});

app.UseWebSockets();
app.MapGet("/socket", Sockets.EchoAsync);
if (hasHub)
{
    app.MapHub<EmptyHub>("/hub");
}


app.MapGet("/delay", async (int ms) =>
{
    await Task.Delay(ms);
    return "delayed";
});

app.MapGet("/cpu", (int ms) => Cpu.Burn(ms));

app.MapGet("/work", (int sleep, int cpuMicroseconds) =>
{
    var slept = Blocked.ByClock(() => Thread.Sleep(sleep));
    Cpu.BurnMicroseconds(cpuMicroseconds);
    return slept;
});

app.MapGet("/work-async", async (int sleep, int cpuMicroseconds) =>
{
    await Task.Delay(sleep);
    return Cpu.BurnMicroseconds(cpuMicroseconds);
});

// Queues its own items in the same pool, to check what the watcher reports.
app.MapGet("/queue-delays", (int ms) => OutsideDelays.Measure(TimeSpan.FromMilliseconds(ms)));

app.MapGet("/occupy", (int items, int ms, int seconds) => Occupation.Start(items, ms, seconds));
app.MapGet("/occupy-operations", (string kind, int count, int ms, int seconds) => Occupiers.Start(kind, count, ms, seconds));

for (var i = 0; i < builder.Configuration.GetValue("routes", 0); i++)
{
    app.MapGet($"/route{i}", () => "ok");
}

app.MapGet("/take-snapshots", Snapshotting.TakeAsync);

app.MapGet("/take-snapshots-starved", Snapshotting.TakeWhileStarved);

app.MapGet("/deadlock/first", Deadlock.First);

app.MapGet("/deadlock/second", Deadlock.Second);

// Each reason is a separate call site.
app.MapGet("/sites", (int n) =>
{
    for (var i = 0; i < n; i++)
    {
        using (BlockingScope.Allow($"reason {i}"))
        {
            Task.Delay(2).Wait();
        }
    }
});

app.MapGet("/awaits", async (int n) =>
{
    for (var i = 0; i < n; i++)
    {
        await Task.Yield();
    }

    return "ok";
});

app.MapGet("/awaits-elsewhere", async (int n) =>
{
    for (var i = 0; i < n; i++)
    {
        await HelpingThread.CompleteAsync();
    }

    return "ok";
});

app.MapGet("/contentions", () => Monitor.LockContentionCount);

app.MapGet("/gc-load", (int seconds, int percent) =>
{
    GcLoad.Run(TimeSpan.FromSeconds(seconds), percent);
    return "started";
});

// Collections that the request itself causes.
app.MapGet("/collect", (int n) =>
{
    for (var i = 0; i < n; i++)
    {
        GC.Collect();
    }
});

await app.RunAsync();
