using System.Net;
using System.Text;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Commands;

/// <summary>WebSurge's safeguard: a remote server permits load by serving a file that says so.</summary>
internal static class RemotePermission
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(10);

    /// <summary>Crawlers don't read more of it either (RFC 9309).</summary>
    private const int MostRobots = 500 * 1024;

    public static async Task<bool> IsGivenAsync(Uri site, LoadSettings settings, CancellationToken cancellationToken)
    {
        using var client = new HttpClient(HttpHandlers.Create(settings.Insecure, settings.Timeout)) { Timeout = s_timeout };
        if (settings.Http2)
        {
            client.DefaultRequestVersion = HttpVersion.Version20;
            client.DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        }

        if (settings.Host is { } host)
        {
            client.DefaultRequestHeaders.TryAddWithoutValidation("Host", host);
        }

        try
        {
            using var allow = await client.GetAsync(
                new Uri(site, "/websurge-allow.txt"), HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            if ((int)allow.StatusCode is 200 or 204)
            {
                return true;
            }

            using var robots = await client.GetAsync(
                new Uri(site, "/robots.txt"), HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            return robots.IsSuccessStatusCode
                && (await BeginningAsync(robots, cancellationToken)).Contains("Allow: WebSurge", StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception e) when (e is HttpRequestException or IOException
            || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return false;
        }
    }

    private static async Task<string> BeginningAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        // The client's own timeout ends once the headers arrive, but a server could keep sending its body forever.
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(s_timeout);
        await using var body = await response.Content.ReadAsStreamAsync(limit.Token);
        var beginning = new byte[MostRobots];
        var length = await body.ReadAtLeastAsync(beginning, beginning.Length, throwOnEndOfStream: false, limit.Token);
        return Encoding.UTF8.GetString(beginning, 0, length);
    }
}
