using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Cli.Tests;

/// <summary>A real Kestrel on a free port of loopback, with an endpoint for each thing a load may meet.</summary>
internal sealed class TestServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private int _count;

    private TestServer(WebApplication app) => _app = app;

    public string Url => _app.Urls.First();

    public FakeReport Report { get; } = new();

    /// <summary>What each request looked like when it arrived.</summary>
    public ConcurrentQueue<Seen> Requests { get; } = [];

    public int Count => Volatile.Read(ref _count);

    /// <summary>Where /away redirects to.</summary>
    public string Away { get; set; } = "/plain";

    /// <summary>Answers with the report at the root too, as the lifeline does.</summary>
    public bool LifelineAtRoot { get; set; }

    /// <summary>What it answers at the report's profile, by its format; 404 without it.</summary>
    public Func<string, string>? Profile { get; set; }

    /// <summary>Requests to /gate wait for it.</summary>
    public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Whether it serves the file that permits loads from other machines.</summary>
    public bool AllowsLoad { get; set; }

    /// <summary>What it tells robots.</summary>
    public string Robots { get; set; } = "User-agent: *";

    public static async Task<TestServer> StartAsync(string address = "127.0.0.1")
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls($"http://{address}:0");
        var server = new TestServer(builder.Build());
        server.Map();
        await server._app.StartAsync();
        return server;
    }

    public async ValueTask DisposeAsync()
    {
        Gate.TrySetResult();
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5));
        await _app.StopAsync(patience.Token);
        await _app.DisposeAsync();
    }

    private void Map()
    {
        _app.Use(async (context, next) =>
        {
            if (context.Request.Path != "/_threadpool")
            {
                Requests.Enqueue(await Seen.OfAsync(context.Request));
                Interlocked.Increment(ref _count);
            }

            await next();
        });
        _app.MapGet("/plain", () => "hello");
        _app.MapGet("/delay/{ms:int}", async (int ms) =>
        {
            await Task.Delay(ms);
            return "hello";
        });
        _app.MapGet("/gate", () => Gate.Task);
        _app.MapGet("/status/{status:int}", (int status) => TypedResults.StatusCode(status));
        _app.MapGet("/redirect", () => TypedResults.Redirect("/plain"));
        _app.MapGet("/away", () => TypedResults.Redirect(Away));
        _app.MapGet("/abort", (HttpContext context) => context.Abort());
        _app.MapGet("/cookie", (HttpContext context) => context.Response.Cookies.Append("visit", "1"));
        _app.MapPost("/login", () => TypedResults.Json(new { user = new { token = "s3cret-token" } }));
        _app.MapMethods("/echo", ["GET", "POST", "PUT"], () => "seen");
        _app.MapGet(
            "/websurge-allow.txt",
            () => TypedResults.StatusCode(AllowsLoad ? StatusCodes.Status204NoContent : StatusCodes.Status404NotFound));
        _app.MapGet("/robots.txt", () => Robots);
        _app.MapGet("/", (HttpContext context) => LifelineAtRoot ? Report.WriteAsync(context) : Task.CompletedTask);
        _app.MapGet("/_threadpool/profile", (string format) => Profile is null ? Results.NotFound() : Results.Text(Profile(format)));
        _app.MapGet("/_threadpool", (HttpContext context) => Report.WriteAsync(context));
    }
}
