using System.Net.Sockets;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Outcomes;

namespace AsyncProbe.Cli.Commands;

/// <summary>
/// Checks before any load that every server accepts connections, that its TLS handshake succeeds, and that it may be loaded.
/// </summary>
internal static class Preflight
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);

    public static async Task CheckAsync(PreparedSession prepared, CancellationToken cancellationToken)
    {
        var settings = prepared.Settings;
        foreach (var site in prepared.Servers)
        {
            await ConnectAsync(site, settings, cancellationToken);
            // As in WebSurge, a single pass of the requests needs no permission.
            if (!settings.Once && !settings.AllowRemote && !site.IsLoopback
                && !await RemotePermission.IsGivenAsync(site, settings, cancellationToken))
            {
                throw new CommandException(ExitCode.Usage,
                    $"{site.Host} is not this machine and does not serve /websurge-allow.txt, so no load is sent to it. Put that file on "
                        + "the server, or use --allow-remote if the server is yours.");
            }
        }
    }

    private static async Task ConnectAsync(Uri site, LoadSettings settings, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(ConnectTimeout);
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(site.IdnHost, site.Port, timeout.Token);
            if (site.Scheme == Uri.UriSchemeHttps)
            {
                await ServerHandshake.CheckAsync(client.GetStream(), site, settings, timeout.Token);
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var reason = e is SocketException socket ? FailureReason.From(socket) : $"no answer within {ConnectTimeout.TotalSeconds} s";
            throw new CommandException(ExitCode.NothingMeasured,
                $"Nothing can be reached at {site.GetLeftPart(UriPartial.Authority)}: {reason}. Start the server, or name another one "
                    + "with --base-url.");
        }
    }
}
