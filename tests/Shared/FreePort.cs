using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Tests.Shared;

/// <summary>A loopback port that is unused at the moment, for options that need a number.</summary>
internal static class FreePort
{
    public static int Take()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
