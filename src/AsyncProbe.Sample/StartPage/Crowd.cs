using System.Diagnostics;

namespace AsyncProbe.Sample.StartPage;

/// <summary>The start page's button: a crowd of visitors blocks every pool thread for ten seconds, and the live page shows it.</summary>
internal sealed class Crowd
{
    private const int Visitors = 64;

    // The live page must load before the pool has no thread left to serve it.
    private static readonly TimeSpan Warning = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Visit = TimeSpan.FromSeconds(10);

    private int _isHere;

    public static void Map(WebApplication app)
    {
        var crowd = new Crowd();
        app.MapPost("/starve", (HttpRequest request) =>
            {
                crowd.Start(new Uri($"{request.Scheme}://{request.Host}/values/sleep?ms=1000"));
                return Results.Redirect("/_threadpool");
            })
            .ExcludeFromDescription();
    }

    private void Start(Uri route)
    {
        if (Interlocked.Exchange(ref _isHere, 1) == 0)
        {
            // The crowd's work must not count as work of the request that started it.
            using (ExecutionContext.SuppressFlow())
            {
                _ = Task.Run(() => ComeAsync(route));
            }
        }
    }

    private async Task ComeAsync(Uri route)
    {
        await Task.Delay(Warning);
        using var client = new HttpClient();
        var since = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, Visitors).Select(_ => CallAsync(client, route, since)));
        Volatile.Write(ref _isHere, 0);
    }

    private static async Task CallAsync(HttpClient client, Uri route, Stopwatch since)
    {
        while (since.Elapsed < Visit)
        {
            try
            {
                await client.GetStringAsync(route);
            }
            catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
            {
                // The sample has stopped, or a visitor waited too long.
                return;
            }
        }
    }
}
