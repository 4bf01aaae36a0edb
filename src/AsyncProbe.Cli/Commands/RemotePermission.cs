using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Commands;

/// <summary>WebSurge's safeguard: a remote server allows load by serving a file that says so.</summary>
internal static class RemotePermission
{
    public static async Task<bool> IsGivenAsync(Uri site, LoadSettings settings, CancellationToken cancellationToken)
    {
        using var client = new HttpClient(HttpHandlers.Create(settings.Insecure, settings.Timeout)) { Timeout = TimeSpan.FromSeconds(10) };
        try
        {
            using var allow = await client.GetAsync(new Uri(site, "/websurge-allow.txt"), cancellationToken);
            if ((int)allow.StatusCode is 200 or 204)
            {
                return true;
            }

            using var robots = await client.GetAsync(new Uri(site, "/robots.txt"), cancellationToken);
            return robots.IsSuccessStatusCode
                && (await robots.Content.ReadAsStringAsync(cancellationToken)).Contains(
                    "Allow: WebSurge", StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException && !cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }
}
