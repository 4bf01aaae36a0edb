using System.Net.Sockets;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Commands;

/// <summary>Before any load: may these servers be loaded, and does anything listen there?</summary>
internal static class Preflight
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    public static async Task CheckAsync(Session session, LoadSettings settings, CancellationToken cancellationToken)
    {
        var requests = new RequestPreparer(session, settings).PrepareForUsers()[0];
        foreach (var site in requests.Select(request => request.Url).DistinctBy(url => url.Authority))
        {
            await ConnectAsync(site, cancellationToken);
            // As in WebSurge, one pass of the requests needs nobody's leave.
            if (!settings.Once && !settings.AllowRemote && !site.IsLoopback && !await RemotePermission.IsGivenAsync(site, settings, cancellationToken))
            {
                throw new CommandException(ExitCode.Usage,
                    $"{site.Host} is not this machine and does not serve /websurge-allow.txt, so it is not loaded. Put that file there, or use --allow-remote if the server is yours.");
            }
        }
    }

    private static async Task ConnectAsync(Uri site, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(site.IdnHost, site.Port, patience.Token);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var reason = e is SocketException socket ? FailureReason.Of(new HttpRequestException(null, socket), Patience) : $"no answer within {Patience.TotalSeconds} s";
            throw new CommandException(ExitCode.NothingMeasured,
                $"Nothing can be reached at {site.GetLeftPart(UriPartial.Authority)}: {reason}. Start the server, or name another with --base-url.");
        }
    }
}
