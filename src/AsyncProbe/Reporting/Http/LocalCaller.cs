using System.Net;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Whether a request looks as if a program on this machine had sent it. It cannot be known: a proxy that leaves no mark looks the same.
/// So this is asked only where the app has said <c>AllowLocal</c>.
/// </summary>
internal sealed class LocalCaller(IServer? server = null)
{
    /// <summary>
    /// Whether the server is that of tests. Its requests have no address; neither have those through a Unix socket, behind which a proxy is
    /// likely.
    /// </summary>
    public bool IsInMemory { get; } = server?.GetType().FullName == "Microsoft.AspNetCore.TestHost.TestServer";

    public bool Is(HttpContext context) =>
        HasLocalAddress(context) && !context.Request.Headers.Keys.Any(ProxyMarks.Is) && LocalNames.IsLoopback(context.Request.Host.Host);

    private bool HasLocalAddress(HttpContext context)
    {
        var connection = context.Connection;
        if (connection.RemoteIpAddress is not { } address)
        {
            return IsInMemory;
        }

        // The socket knows better than the address, which forwarded headers may have set.
        return IPAddress.IsLoopback(address)
            && (context.Features.Get<IConnectionSocketFeature>() is not { Socket: var socket }
                || (socket.RemoteEndPoint is IPEndPoint caller && caller.Address.Equals(address) && caller.Port == connection.RemotePort));
    }
}
