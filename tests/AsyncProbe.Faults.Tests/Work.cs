namespace AsyncProbe.Faults.Tests;

/// <summary>Requests with known right answers, whatever fails inside AsyncProbe.</summary>
internal static class Work
{
    private static readonly (string Path, int Status, string? Body)[] s_requests =
    [
        ("/plain", 200, "plain"),
        ("/ok", 200, "ok"),
        ("/sleep", 200, "slept"),
        ("/wait", 200, "waited"),
        ("/lock", 200, "locked"),
        ("/outside", 200, "from outside"),
        ("/late", 200, "more to come"),
        ("/operation", 200, "operated"),
        ("/throw", 500, null),
        ("/nowhere", 404, null),
    ];

    private static readonly string[] s_ofProbe =
    [
        "/_threadpool", "/_threadpool?endpoint=ok", "/_threadpool/", "/_threadpool/page.js", "/_threadpool/help", "/_threadpool/metrics",
        "/_threadpool/profile", "/_threadpool/profile?format=speedscope", "/_threadpool/profile?format=collapsed",
        "/_threadpool/profile?format=tree",
    ];

    /// <summary>Sends each request several times concurrently, and one with a body.</summary>
    /// <returns>The wrong answers.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(ChildProcess host, int times = 3)
    {
        var answers = Enumerable.Range(0, times).SelectMany(_ => s_requests)
            .Select(request => AskAsync(host, HttpMethod.Get, request.Path, request.Status, request.Body))
            .Append(AskAsync(host, HttpMethod.Post, "/echo", 200, "echoed"));
        return [.. (await Task.WhenAll(answers)).OfType<string>()];
    }

    /// <summary>Requests what AsyncProbe itself answers. It may refuse while something fails, but it must answer.</summary>
    public static async Task AskProbeAsync(ChildProcess host, int lifeline)
    {
        foreach (var path in s_ofProbe)
        {
            using var question = new HttpRequestMessage(HttpMethod.Get, path);
            question.Headers.Add("Accept", path.Length % 2 == 0 ? "text/html" : "*/*");
            using var answer = await host.Client.SendAsync(question);
        }

        using var snapshot = await host.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
        foreach (var path in (string[])["/", "/metrics", "/help", "/page.js"])
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
    }

    private static async Task<string?> AskAsync(ChildProcess host, HttpMethod method, string path, int status, string? body)
    {
        try
        {
            using var request = new HttpRequestMessage(method, path);
            if (method == HttpMethod.Post)
            {
                request.Content = new StringContent(body!);
            }

            using var answer = await host.Client.SendAsync(request);
            var text = await answer.Content.ReadAsStringAsync();
            return (int)answer.StatusCode == status && (body is null || text == body)
                ? null
                : $"{path}: {(int)answer.StatusCode} {text[..Math.Min(text.Length, 200)]}";
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            return $"{path}: {e.Message}";
        }
    }
}
