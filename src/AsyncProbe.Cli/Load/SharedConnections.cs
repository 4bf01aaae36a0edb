using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// A few HTTP/2 connections that all simulated threads share, as requests from a browser or a service do. A handler keeps one connection to
/// each server. Requests beyond the server's stream limit wait in the handler, and that wait counts as part of their time.
/// </summary>
internal sealed class SharedConnections(LoadSettings settings, int count) : IDisposable
{
    private readonly SocketsHttpHandler[] _handlers =
        [.. Enumerable.Range(0, count).Select(_ => HttpHandlers.Create(settings.Insecure, settings.Timeout, settings.Decompress))];

    /// <summary>Null when each thread has its own connections.</summary>
    public static SharedConnections? Create(LoadSettings settings) =>
        settings.Connections is { } count ? new(settings, count) : null;

    /// <summary>Creates a client for one thread.</summary>
    public HttpMessageInvoker CreateClient(int thread) => new(_handlers[thread % _handlers.Length], disposeHandler: false);

    public void Dispose() => Array.ForEach(_handlers, handler => handler.Dispose());
}
