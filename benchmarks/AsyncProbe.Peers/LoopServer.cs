using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Peers;

/// <summary>A server without a network: it calls the application in a loop, as Kestrel does for the requests of one connection.</summary>
internal sealed class LoopServer : IServer
{
    private Func<string, int, Task>? _send;

    public IFeatureCollection Features { get; } = new FeatureCollection();

    public Task StartAsync<TContext>(IHttpApplication<TContext> application, CancellationToken cancellationToken)
        where TContext : notnull
    {
        var connection = new LoopConnection<TContext>(application);
        _send = connection.SendAsync;
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Sends a number of requests, one after the other.</summary>
    public Task SendAsync(string path, int requests) => _send!(path, requests);

    public void Dispose()
    {
    }
}
