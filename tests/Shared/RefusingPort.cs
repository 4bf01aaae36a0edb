using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// A loopback port that refuses connections until the end of the test: it is bound, so no other process gets it, but nothing listens.
/// </summary>
internal sealed class RefusingPort : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public RefusingPort() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    /// <summary>The host and the port.</summary>
    public string Authority => _socket.LocalEndPoint!.ToString()!;

    public string Url => $"http://{Authority}";

    public void Dispose() => _socket.Dispose();
}
