using System.Net;
using System.Net.Security;

namespace AsyncProbe.Cli.Load;

/// <summary>Makes the HTTP handler of one simulated thread: its own connection, its own cookies.</summary>
internal static class Handlers
{
    public static SocketsHttpHandler Create(LoadSettings settings, CookieContainer? cookies) => new()
    {
        // No activity, no trace headers: they would be a third of the cost of a small request.
        ActivityHeadersPropagator = null,
        // A handler would follow to any host: see Redirects.
        AllowAutoRedirect = false,
        AutomaticDecompression = settings.Decompress ? DecompressionMethods.All : DecompressionMethods.None,
        ConnectTimeout = settings.Timeout,
        CookieContainer = cookies ?? new CookieContainer(),
        UseCookies = cookies is not null,
        // A proxy of the environment would be measured instead of the server.
        UseProxy = false,
        PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
        SslOptions = settings.Insecure ? AnyCertificate() : new SslClientAuthenticationOptions(),
    };

#pragma warning disable CA5359 // The user typed --insecure.
    private static SslClientAuthenticationOptions AnyCertificate() => new() { RemoteCertificateValidationCallback = (_, _, _, _) => true };
#pragma warning restore CA5359
}
