using System.Net.Security;
using System.Security.Authentication;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Commands;

/// <summary>One TLS handshake before a load, because otherwise every request of the load would fail for the same reason.</summary>
internal static class ServerHandshake
{
    /// <exception cref="CommandException">The certificate is not trusted, or the server does not speak TLS.</exception>
    public static async Task CheckAsync(Stream connection, Uri site, LoadSettings settings, CancellationToken cancellationToken)
    {
        var isRefused = false;
        var stream = new SslStream(connection, leaveInnerStreamOpen: false, (_, _, _, errors) =>
        {
            isRefused = !settings.Insecure && errors != SslPolicyErrors.None;
            return !isRefused;
        });
        await using (stream)
        {
            try
            {
                await stream.AuthenticateAsClientAsync(
                    new SslClientAuthenticationOptions { TargetHost = settings.NameOf(site) }, cancellationToken);
            }
            catch (Exception e) when (e is AuthenticationException or IOException)
            {
                var server = site.GetLeftPart(UriPartial.Authority);
                throw new CommandException(ExitCode.NothingMeasured, isRefused
                    ? $"The certificate of {server} is not trusted, so no load is sent. {ReportFailure.Certificate(site)}"
                    : $"No TLS connection can be made to {server}: {e.Message.TrimEnd('.')}. Does it speak plain HTTP on this port?");
            }
        }
    }
}
