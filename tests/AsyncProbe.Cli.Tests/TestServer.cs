using System.Collections.Concurrent;
using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Cli.Tests;

/// <summary>A real Kestrel on a free loopback port, with an endpoint for everything that a load may meet.</summary>
internal sealed class TestServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private int _count;

    private TestServer(WebApplication app) => _app = app;

    public string Url => _app.Urls.First();

    public FakeReport Report { get; } = new();

    /// <summary>Each request as it arrived.</summary>
    public ConcurrentQueue<Seen> Requests { get; } = [];

    public int Count => Volatile.Read(ref _count);

    /// <summary>The target of /away's redirect.</summary>
    public string Away { get; set; } = "/plain";

    /// <summary>Whether it also serves the report at the root, like the lifeline.</summary>
    public bool LifelineAtRoot { get; set; }

    /// <summary>Returns the content of the report's profile in a given format; 404 if null.</summary>
    public Func<string, string>? Profile { get; set; }

    /// <summary>Requests to /gate wait for it.</summary>
    public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The content of /login's response.</summary>
    public string Login { get; set; } = """{ "user": { "token": "s3cret-token" } }""";

    /// <summary>Whether it serves the file that permits loads from other machines.</summary>
    public bool AllowsLoad { get; set; }

    /// <summary>The content of robots.txt.</summary>
    public string Robots { get; set; } = "User-agent: *";

    /// <summary>Makes the report hang after a number of polls, so that only the lifeline answers, at the root.</summary>
    public void AnswerOnlyOnTheLifeline(int afterPolls)
    {
        LifelineAtRoot = true;
        Report.Instead = async (context, poll) =>
        {
            if (poll <= afterPolls || context.Request.Path == "/")
            {
                return false;
            }

            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return true;
        };
    }

    /// <param name="held">How many milliseconds each request holds a thread, by the report.</param>
    public static async Task<TestServer> StartWithReportAsync(double held = 200)
    {
        var server = await StartAsync();
        server.Report.IsThere = true;
        server.Report.Held = held;
        return server;
    }

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
        _app.MapGet("/cookies/{count:int}", (int count, HttpContext context) =>
        {
            for (var i = 1; i <= count; i++)
            {
                context.Response.Cookies.Append(FormattableString.Invariant($"name{i}"), i.ToString(CultureInfo.InvariantCulture));
            }
        });
        _app.MapGet("/enter", (HttpContext context) =>
        {
            context.Response.Cookies.Append("visit", "1");
            return TypedResults.Redirect("/echo");
        });
        _app.MapPost("/login", () => TypedResults.Text(Login, "application/json"));
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
