using System.Net;
using System.Net.Security;
using System.Text;

namespace AsyncProbe.Cli.Server;

/// <summary>Creates HTTP handlers that never share a connection, keep no cookie, follow no redirect and use no proxy.</summary>
internal static class HttpHandlers
{
    public static SocketsHttpHandler Create(bool insecure, TimeSpan connectTimeout, bool decompress = true) => new()
    {
        // Activities and trace headers would be a third of the cost of a small request.
        ActivityHeadersPropagator = null,
        // Otherwise the handler would follow a redirect to any host.
        AllowAutoRedirect = false,
        AutomaticDecompression = decompress ? DecompressionMethods.All : DecompressionMethods.None,
        ConnectTimeout = connectTimeout,
        UseCookies = false,
        // With a proxy from the environment, the figures would describe the proxy instead of the server.
        UseProxy = false,
        // curl, Locust and others do the same. Without it, a non-ASCII value fails the request before it is sent.
        RequestHeaderEncodingSelector = (_, _) => Encoding.UTF8,
        PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
        SslOptions = insecure ? AnyCertificate() : new SslClientAuthenticationOptions(),
    };

#pragma warning disable CA5359 // The user typed --insecure.
    private static SslClientAuthenticationOptions AnyCertificate() => new() { RemoteCertificateValidationCallback = (_, _, _, _) => true };
#pragma warning restore CA5359
}
