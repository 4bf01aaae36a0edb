namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Fetches only the requested document, nothing that it refers to.</summary>
internal static class DocumentDownload
{
    private const int MaxBytes = 16 * 1024 * 1024;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    /// <exception cref="SessionException">There is no such document.</exception>
    public static async Task<byte[]> FetchAsync(Uri place, CancellationToken cancellationToken)
    {
        // A redirect could lead to any host.
        using var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseProxy = false,
            AutomaticDecompression = System.Net.DecompressionMethods.All,
        };
        using var client = new HttpClient(handler) { MaxResponseContentBufferSize = MaxBytes, Timeout = s_timeout };
        try
        {
            using var response = await client.GetAsync(place, cancellationToken);
            return response.IsSuccessStatusCode
                ? await response.Content.ReadAsByteArrayAsync(cancellationToken)
                : throw new SessionException(
                    $"{SafeText.From(place.ToString())} answered {(int)response.StatusCode}, so there is nothing to import.");
        }
        catch (Exception e) when (e is HttpRequestException
            || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            throw new SessionException($"{SafeText.From(place.ToString())} cannot be fetched: {SafeText.From(e.Message.TrimEnd('.'))}.");
        }
    }
}
