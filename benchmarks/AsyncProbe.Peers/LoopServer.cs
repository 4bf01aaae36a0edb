using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Peers;

/// <summary>A server without a network: it calls the application in a loop, as Kestrel does for the requests of one connection.</summary>
internal sealed class LoopServer : IServer
{
    private Func<string, int, Task>? _send;
    private Func<Func<string, int, Task>>? _connect;

    public IFeatureCollection Features { get; } = new FeatureCollection();

    public Task StartAsync<TContext>(IHttpApplication<TContext> application, CancellationToken cancellationToken)
        where TContext : notnull
    {
        _connect = () => new LoopConnection<TContext>(application).SendAsync;
        _send = _connect();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Sends a number of requests, one after the other.</summary>
    public Task SendAsync(string path, int requests) => _send!(path, requests);

    /// <summary>Opens another connection: the result sends requests like <see cref="SendAsync"/>.</summary>
    public Func<string, int, Task> Connect() => _connect!();

    public void Dispose()
    {
    }
}
