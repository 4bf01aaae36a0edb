using System.Net.Sockets;

namespace AsyncProbe.TestServer;

/// <summary>
/// Another process behind a Unix socket: it accepts one connection and prints what it receives, until the caller disconnects.
/// </summary>
internal static class UnixListener
{
    public static void Run(string path)
    {
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen();
        Console.WriteLine("listening");

        using var stream = new NetworkStream(listener.Accept(), ownsSocket: true);
        using var received = new MemoryStream();
        stream.CopyTo(received);
        Console.WriteLine($"received {Convert.ToHexString(received.ToArray())}");
    }
}
