using System.Globalization;

namespace AsyncProbe.Sample.Upstream;

/// <summary>Calls the upstream process, synchronously or asynchronously.</summary>
public sealed class UpstreamClient : IDisposable
{
    private const int WarmConnections = 64;

    /// <summary>The connections.</summary>
    public HttpClient Http { get; } = new(new SocketsHttpHandler
    {
        UseProxy = false,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
    })
    {
        Timeout = TimeSpan.FromSeconds(100),
    };

    /// <summary>The upstream process's address; null until it runs.</summary>
    public Uri? Address { get; set; }

    /// <summary>Waits for the answer on the calling thread.</summary>
    public string Wait(int milliseconds, CancellationToken cancellation = default)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, WaitUri(milliseconds));
        using var response = Http.Send(request, cancellation);
        response.EnsureSuccessStatusCode();
        using var reader = new StreamReader(response.Content.ReadAsStream(cancellation));
        return reader.ReadToEnd();
    }

    /// <summary>Awaits the answer.</summary>
    public Task<string> WaitAsync(int milliseconds, CancellationToken cancellation = default) =>
        Http.GetStringAsync(WaitUri(milliseconds), cancellation);

    /// <summary>
    /// Opens connections in advance. A synchronous call needs a pool thread to open one. If all threads wait for that, none is left.
    /// </summary>
    public Task WarmAsync(CancellationToken cancellation) =>
        Task.WhenAll(Enumerable.Range(0, WarmConnections).Select(_ => WaitAsync(200, cancellation)));

    /// <inheritdoc />
    public void Dispose() => Http.Dispose();

    /// <summary>The URL of a wait of that many milliseconds.</summary>
    public Uri WaitUri(int milliseconds) =>
        Address is { } address
            ? new Uri(address, string.Create(CultureInfo.InvariantCulture, $"/wait?ms={milliseconds}"))
            : throw new HttpRequestException(
                "The upstream process is not there. It is being started again, unless Sample:Upstream is false.");
}
