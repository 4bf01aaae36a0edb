using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Loopback ports for options that need a number. They lie below the range from which the system takes ports for clients, and for servers
/// that ask for any port. This process reserves them until it ends, so no other test takes one before its server starts.
/// </summary>
internal static class FreePort
{
    private const int First = 20_000;
    private const int End = 32_000;

    // UDP and TCP have separate ports: the server gets the TCP port, and the socket here only keeps other tests away from it.
    private static readonly List<Socket> s_reservations = [];

    public static int Take()
    {
        while (true)
        {
            var port = Random.Shared.Next(First, End);
            if (TryReserve(port))
            {
                return port;
            }
        }
    }

    private static bool TryReserve(int port)
    {
        var reservation = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            reservation.Bind(new IPEndPoint(IPAddress.Loopback, port));
            using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            server.Bind(new IPEndPoint(IPAddress.Loopback, port));
        }
        catch (SocketException)
        {
            reservation.Dispose();
            return false;
        }

        lock (s_reservations)
        {
            s_reservations.Add(reservation);
        }

        return true;
    }
}
