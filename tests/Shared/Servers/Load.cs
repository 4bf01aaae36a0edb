namespace AsyncProbe.Tests.Shared;

/// <summary>Many connections that request the same path over and over until stopped.</summary>
internal sealed class Load : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly HttpClient _client;
    private readonly Task _running;

    public Load(Uri server, string path, int connections)
    {
        _client = new HttpClient(new SocketsHttpHandler { UseProxy = false, MaxConnectionsPerServer = connections })
        {
            BaseAddress = server,
            Timeout = TimeSpan.FromMinutes(2),
        };
        _running = Task.WhenAll(Enumerable.Range(0, connections).Select(_ => AskAsync(path)));
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.WaitAsync(TimeSpan.FromSeconds(30));
        _client.Dispose();
        _stop.Dispose();
    }

    private async Task AskAsync(string path)
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                using var response = await _client.GetAsync(new Uri(path, UriKind.Relative), _stop.Token);
            }
            catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
            {
                // A starved server may refuse; the load continues.
            }
        }
    }
}
