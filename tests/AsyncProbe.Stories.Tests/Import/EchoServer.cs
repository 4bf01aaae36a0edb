using System.Collections.Concurrent;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Stories.Tests.Import;

/// <summary>Records every request that arrives, without what each client adds on its own.</summary>
internal sealed class EchoServer : IAsyncDisposable
{
    private static readonly HashSet<string> s_clientsOwn = new(StringComparer.OrdinalIgnoreCase)
    {
        "Host", "Connection", "Content-Length", "Accept-Encoding", "Cache-Control", "Postman-Token",
    };

    /// <summary>The beginnings of the names that clients send by default.</summary>
    private static readonly string[] s_agents = ["PostmanRuntime/", "curl/", "httpyac", "Apache-HttpClient/", "python-requests/"];

    private readonly ConcurrentQueue<string> _seen = [];
    private readonly WebApplication _app;

    private int _logins;

    private EchoServer(WebApplication app) => _app = app;

    public Uri Address => new(_app.Urls.First());

    public static async Task<EchoServer> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var server = new EchoServer(builder.Build());
        server._app.Run(server.RecordAsync);
        await server._app.StartAsync();
        return server;
    }

    /// <summary>The requests since the last call, in order. The next login is the first again.</summary>
    public List<string> Drain()
    {
        var seen = new List<string>();
        while (_seen.TryDequeue(out var request))
        {
            seen.Add(request);
        }

        _logins = 0;
        return seen;
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    private async Task RecordAsync(HttpContext context)
    {
        var request = context.Request;
        using var body = new MemoryStream();
        await request.Body.CopyToAsync(body);
        var boundary = request.ContentType?.Split("boundary=") is [_, var name] ? name.Trim('"') : null;
        var headers = request.Headers.Where(header => !s_clientsOwn.Contains(header.Key) && !IsDefault(header.Key, header.Value.ToString()))
            .OrderBy(header => header.Key, StringComparer.OrdinalIgnoreCase)
            // Some clients send equal headers separately, others join them.
            .Select(header => $"{header.Key.ToLowerInvariant()}: {string.Join(", ", header.Value.ToArray())}");
        var text = $"{request.Method} {request.Path.Value}{request.QueryString} | {string.Join(" | ", headers)} "
            + $"| {Encoding.Latin1.GetString(body.ToArray())}";
        if (request.Path != "/websurge-allow.txt")
        {
            _seen.Enqueue(boundary is null ? text : text.Replace(boundary, "BOUNDARY", StringComparison.Ordinal));
        }

        if (request.Path == "/login")
        {
            var login = Interlocked.Increment(ref _logins);
            context.Response.Headers.SetCookie = $"sid=session-{login}; path=/";
            await context.Response.WriteAsJsonAsync(new { user = new { id = login, token = $"token-{login}" } });
        }
    }

    private static bool IsDefault(string name, string value) =>
        (name.Equals("Accept", StringComparison.OrdinalIgnoreCase) && value == "*/*")
        || (name.Equals("User-Agent", StringComparison.OrdinalIgnoreCase)
            && s_agents.Any(agent => value.StartsWith(agent, StringComparison.Ordinal)));
}
