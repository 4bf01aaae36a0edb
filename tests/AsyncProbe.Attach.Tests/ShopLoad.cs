namespace AsyncProbe.Attach.Tests;

/// <summary>Requests one path after another, over and over, until it is disposed.</summary>
internal sealed class ShopLoad : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly Task _task;
    private int _sent;

    public ShopLoad(HttpClient client, int clients, params string[] paths)
        : this(client, clients, TimeSpan.Zero, paths)
    {
    }

    /// <param name="client">Sends the requests.</param>
    /// <param name="clients">How many requests there are at once.</param>
    /// <param name="pause">How long each client waits between two requests, so that many of them leave the tests a core.</param>
    /// <param name="paths">What to request.</param>
    public ShopLoad(HttpClient client, int clients, TimeSpan pause, params string[] paths) =>
        _task = Task.WhenAll(Enumerable.Range(0, clients).Select(_ => Task.Run(() => SendAsync(client, pause, paths))));

    public int Sent => Volatile.Read(ref _sent);

    public List<string> Failures { get; } = [];

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _task;
        _end.Dispose();
    }

    private async Task SendAsync(HttpClient client, TimeSpan pause, string[] paths)
    {
        for (var i = 0; !_end.IsCancellationRequested; i++)
        {
            try
            {
                using var answer = await client.GetAsync(new Uri(paths[i % paths.Length], UriKind.Relative));
                Interlocked.Increment(ref _sent);
                if ((int)answer.StatusCode != (paths[i % paths.Length] == "/fail" ? 500 : 200))
                {
                    Note($"{paths[i % paths.Length]}: {answer.StatusCode}");
                }
            }
            catch (HttpRequestException e)
            {
                Note(e.ToString());
            }

            await Task.Delay(pause);
        }
    }

    private void Note(string failure)
    {
        lock (Failures)
        {
            Failures.Add(failure);
        }
    }
}
