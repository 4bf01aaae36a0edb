using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace AsyncProbe.Faults.Tests;

/// <summary>Requests with known right answers, whatever fails inside AsyncProbe.</summary>
internal static class Work
{
    // As many as may carry the wait hook at a time.
    private const int BlockersAtOnce = 2;

    // The cap of the pool is 16.
    private const int MoreThanThreads = 30;

    private static readonly Request[] s_requests =
    [
        new("/plain", 200, "plain"),
        new("/ok", 200, "ok"),
        new("/sleep", 200, "slept"),
        new("/wait", 200, "waited"),
        new("/lock", 200, "locked"),
        new("/outside", 200, "from outside"),
        new("/late", 200, "more to come"),
        new("/operation", 200, "operated"),
        new("/throw", 500, null),
        new("/nowhere", 404, null),
    ];

    private static readonly Request[] s_ofApi =
    [
        new("/wrong-arguments", 200, "refused"),
        new("/scopes", 200, "allowed"),
        new("/allowed", 200, "allowed"),
        new("/guard", 200, "guarded"),
        new("/hub", 200, "invoked"),
    ];

    private static readonly string[] s_ofProbe =
    [
        "/_threadpool", "/_threadpool?history=5", "/_threadpool?endpoint=ok", "/_threadpool/", "/_threadpool/page.js", "/_threadpool/help",
        "/_threadpool/metrics", "/_threadpool/profile", "/_threadpool/profile?format=speedscope", "/_threadpool/profile?format=collapsed",
        "/_threadpool/profile?format=tree", "/_threadpool/profile?format=tree&endpoint=ok", "/_threadpool/nothing",
    ];

    private static readonly string[] s_accept =
    [
        "*/*", "text/html", "application/openmetrics-text; version=1.0.0", "text/plain;version=0.0.4;escaping=allow-utf-8", "nonsense/;",
    ];

    /// <summary>Sends each request several times concurrently, and one with a body.</summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(ChildProcess host, int times = 3)
    {
        var answers = Enumerable.Range(0, times).SelectMany(_ => s_requests)
            .Select(request => AskAsync(host, HttpMethod.Get, request))
            .Append(AskAsync(host, HttpMethod.Post, new Request("/echo", 200, "echoed")));
        return [.. (await Task.WhenAll(answers)).OfType<string>()];
    }

    /// <summary>How many requests <see cref="RunAsync"/> sends.</summary>
    public static int Size(int times) => (s_requests.Length * times) + 1;

    /// <summary>Blocks in every way that the host knows, and uses the rest of the API.</summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> BlockAsync(ChildProcess host)
    {
        var paths = JsonSerializer.Deserialize<string[]>(await host.TextAsync("/blockers"))!;
        using var places = new SemaphoreSlim(BlockersAtOnce);
        var answers = paths.Select(path => new Request(path, 200, null)).Concat(s_ofApi).Select(async request =>
        {
            await places.WaitAsync();
            try
            {
                return await AskAsync(host, HttpMethod.Get, request);
            }
            finally
            {
                places.Release();
            }
        });
        return [.. (await Task.WhenAll(answers)).OfType<string>()];
    }

    /// <summary>Blocks again and again for moments that the wait hook cannot see, so that windows are sampled.</summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> SleepAsync(ChildProcess host, TimeSpan duration)
    {
        List<string> wrong = [];
        for (var since = Stopwatch.StartNew(); since.Elapsed < duration;)
        {
            wrong.AddRange((await Task.WhenAll(
                AskAsync(host, HttpMethod.Get, new Request("/sleep", 200, "slept")),
                AskAsync(host, HttpMethod.Get, new Request("/late", 200, "more to come")))).OfType<string>());
        }

        return wrong;
    }

    /// <summary>
    /// Blocks more requests than a capped pool has threads, until work is done that none of them is left to do. They give up after a while.
    /// Until then only the lifeline answers.
    /// </summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> DeadlockAsync(ChildProcess host, int lifeline)
    {
        var answers = Task.WhenAll(
            Enumerable.Range(0, MoreThanThreads).Select(_ => AskAsync(host, HttpMethod.Get, new Request("/needs-pool?ms=9000", 200, null))));
        while (!answers.IsCompleted)
        {
            await AskLifelineAsync(host, lifeline, "/");
            await Task.Delay(100);
        }

        return [.. (await answers).OfType<string>()];
    }

    /// <summary>Asks the health check. The pool may be unhealthy, but the check answers.</summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> AskHealthAsync(ChildProcess host)
    {
        using var answer = await host.Client.GetAsync(new Uri("/health", UriKind.Relative));
        var text = await answer.Content.ReadAsStringAsync();
        return text is "Healthy" or "Degraded" or "Unhealthy" ? [] : [$"/health: {(int)answer.StatusCode} {text}"];
    }

    /// <summary>Requests what AsyncProbe itself answers. It may refuse while something fails, but it must answer.</summary>
    public static async Task AskProbeAsync(ChildProcess host, int lifeline)
    {
        foreach (var (path, accept) in s_ofProbe.SelectMany(path => s_accept.Select(accept => (path, accept))))
        {
            await AskProbeAsync(host, HttpMethod.Get, path, ("Accept", accept), ("Accept-Encoding", "gzip"));
        }

        await AskProbeAsync(host, HttpMethod.Head, "/_threadpool");
        await AskProbeAsync(host, HttpMethod.Delete, "/_threadpool");
        await AskProbeAsync(host, HttpMethod.Get, "/_threadpool", ("Host", "elsewhere.example"));
        await AskProbeAsync(host, HttpMethod.Get, "/_threadpool", ("X-Forwarded-For", "203.0.113.7"));
        await AskProbeAsync(host, HttpMethod.Post, "/_threadpool/reset", ("Origin", "http://elsewhere.example"));
        await AskProbeAsync(host, HttpMethod.Post, "/_threadpool/snapshot");
        foreach (var text in (string[])[
            $"GET / HTTP/1.1\r\nHost: localhost:{lifeline}\r\nOrigin: {host.Address.GetLeftPart(UriPartial.Authority)}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://elsewhere.example\r\n\r\n", "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n", "GET * HTTP/9.9\r\n:\r\n\r\n", ""])
        {
            await TellLifelineAsync(lifeline, text);
        }

        foreach (var path in (string[])["/", "/metrics", "/help", "/page.js", "/nothing", "/?history=5"])
        {
            await AskLifelineAsync(host, lifeline, path);
        }
    }

    private static async Task AskLifelineAsync(ChildProcess host, int lifeline, string path)
    {
        try
        {
            using var answer = await host.Client.GetAsync(new Uri($"http://127.0.0.1:{lifeline}{path}"));
        }
        catch (HttpRequestException)
        {
            // The lifeline may drop a caller when it fails, but it continues.
        }
    }

    private static async Task AskProbeAsync(ChildProcess host, HttpMethod method, string path, params (string Name, string Value)[] headers)
    {
        using var question = new HttpRequestMessage(method, path);
        foreach (var (name, value) in headers)
        {
            question.Headers.TryAddWithoutValidation(name, value);
        }

        using var answer = await host.Client.SendAsync(question);
    }

    private static async Task TellLifelineAsync(int lifeline, string text)
    {
        try
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync("127.0.0.1", lifeline);
            await socket.SendAsync(Encoding.ASCII.GetBytes(text));
            socket.Shutdown(SocketShutdown.Send);
            var answer = new byte[4096];
            while (await socket.ReceiveAsync(answer).WaitAsync(ChildProcess.Timeout) > 0)
            {
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It may drop a caller.
        }
    }

    private static async Task<string?> AskAsync(ChildProcess host, HttpMethod method, Request request)
    {
        try
        {
            using var question = new HttpRequestMessage(method, request.Path);
            if (method == HttpMethod.Post)
            {
                question.Content = new StringContent(request.Body!);
            }

            using var answer = await host.Client.SendAsync(question);
            var text = await answer.Content.ReadAsStringAsync();
            return (int)answer.StatusCode == request.Status && (request.Body is null || text == request.Body)
                ? null
                : $"{request.Path}: {(int)answer.StatusCode} {text[..Math.Min(text.Length, 200)]}";
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            return $"{request.Path}: {e.Message}";
        }
    }

    // Without a body, any will do.
    private sealed record Request(string Path, int Status, string? Body);
}
