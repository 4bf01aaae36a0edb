using System.Net;
using System.Text;
using System.Text.Json;

namespace AsyncProbe.Cli.Server;

/// <summary>Gets the server's profile of blocked time, whose URL lies beneath the report's.</summary>
internal static class ProfileClient
{
    private const int MaxBytes = 32 * 1024 * 1024;

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(20);

    /// <summary>Returns the profile's text, or a sentence that says why there is none.</summary>
    public static async Task<(string? Text, string? Problem)> ReadAsync(
        Uri report, ProfileFormat format, bool insecure, CancellationToken cancellationToken)
    {
        var url = Url(report, format);
        using var client = new HttpClient(HttpHandlers.Create(insecure, Timeout))
        {
            Timeout = Timeout,
            MaxResponseContentBufferSize = MaxBytes,
        };
        try
        {
            using var response = await client.GetAsync(url, cancellationToken);
            if (response.StatusCode != HttpStatusCode.OK)
            {
                return (null, $"{url} answers {(int)response.StatusCode}: the server's AsyncProbe may be older than this asyncprobe, "
                    + $"or {report} is not its report.");
            }

            var bytes = await response.Content.ReadAsByteArrayAsync(cancellationToken);
            return (format.IsJson ? SafeProfile.FromJson(bytes) : SafeProfile.FromLines(Encoding.UTF8.GetString(bytes)), null);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, $"{url} did not answer within {Timeout.TotalSeconds} s; its pool may have no free thread.");
        }
        catch (HttpRequestException e)
        {
            return (null, $"{url} could not be read: {e.Message.TrimEnd('.')}.");
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            return (null, $"The answer of {url} is not a profile of AsyncProbe.");
        }
    }

    private static Uri Url(Uri report, ProfileFormat format) => new UriBuilder(report)
    {
        Path = report.AbsolutePath.TrimEnd('/') + "/profile",
        Query = (report.Query.Length > 1 ? report.Query + "&" : "?") + "format=" + format.Name,
    }.Uri;
}
