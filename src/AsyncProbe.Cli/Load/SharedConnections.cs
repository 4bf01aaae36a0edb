using System.Net;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// A few HTTP/2 connections that all simulated threads share, as browsers' and services' requests do. A handler keeps to one connection to
/// each server; what the server's limit of streams does not admit waits inside it, and that wait is part of the time.
/// </summary>
internal sealed class SharedConnections(LoadSettings settings, int count) : IDisposable
{
    private readonly SocketsHttpHandler[] _handlers =
        [.. Enumerable.Range(0, count).Select(_ => HttpHandlers.Create(settings.Insecure, settings.Timeout, settings.Decompress))];

    /// <summary>Null where each thread has connections of its own.</summary>
    public static SharedConnections? Create(LoadSettings settings) =>
        settings.Connections is { } count ? new(settings, count) : null;

    /// <summary>For one thread, whose cookies stay its own.</summary>
    public HttpMessageInvoker CreateClient(int thread, CookieContainer? cookies)
    {
        var handler = _handlers[thread % _handlers.Length];
        return new(cookies is null ? handler : new ThreadCookies(cookies) { InnerHandler = handler }, disposeHandler: false);
    }

    public void Dispose() => Array.ForEach(_handlers, handler => handler.Dispose());
}
