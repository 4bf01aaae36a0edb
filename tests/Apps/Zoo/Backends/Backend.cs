using System.Net;
using System.Net.Sockets;

namespace Zoo.Backends;

/// <summary>
/// A server that looks like another machine to the thread pool, because it has one thread of its own for each connection. It answers each
/// request after <see cref="Milliseconds"/>.
/// </summary>
internal abstract class Backend
{
    public const int Milliseconds = 15;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    protected Backend()
    {
        _listener.Start();
        Start(() =>
        {
            while (true)
            {
                var socket = _listener.AcceptSocket();
                socket.NoDelay = true;
                Start(() => Converse(socket));
            }
        });
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    protected abstract void Serve(Stream stream);

    protected static void Wait() => Thread.Sleep(Milliseconds);

    private void Converse(Socket socket)
    {
        try
        {
            using var stream = new NetworkStream(socket, ownsSocket: true);
            Serve(stream);
        }
        catch (IOException)
        {
            // The client has disconnected.
        }
    }

    private static void Start(Action work) => new Thread(() => work()) { IsBackground = true }.UnsafeStart();
}
