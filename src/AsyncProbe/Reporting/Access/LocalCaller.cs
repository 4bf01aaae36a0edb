using System.Net;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Access;

/// <summary>
/// Whether a request looks as if a program on this machine sent it. This can't be certain, because a proxy that adds no headers looks the
/// same. So it's only used when the app sets <c>AllowLocal</c>.
/// </summary>
internal sealed class LocalCaller(IServer? server = null)
{
    /// <summary>
    /// Whether the server is <c>TestServer</c>. Its requests have no remote address. Requests through a Unix socket have none either, but
    /// those probably come from a proxy.
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

        // Check the socket too, because forwarded headers may have changed the address.
        return IPAddress.IsLoopback(address)
            && (context.Features.Get<IConnectionSocketFeature>() is not { Socket: var socket }
                || (socket.RemoteEndPoint is IPEndPoint caller && caller.Address.Equals(address) && caller.Port == connection.RemotePort));
    }
}
