using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace AsyncProbe.Cli.Results;

/// <summary>
/// Asks <c>/_threadpool</c> over a connection of its own, without the pool: the calls are synchronous and belong on a dedicated
/// thread, so that neither a busy tool nor its load delays them.
/// </summary>
internal sealed class ProbeClient : IDisposable
{
    private readonly HttpMessageInvoker _client;

    public ProbeClient(Uri url, bool insecure)
    {
        Url = url;
        _client = new HttpMessageInvoker(Load.Handlers.Create(new Load.LoadSettings { Insecure = insecure, Decompress = true, FollowRedirects = false }, cookies: null));
    }

    public Uri Url { get; }

    /// <summary>Null, and why, when no report came.</summary>
    public (ServerSnapshot? Snapshot, ServerStatus Status) Ask(TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, Url);
            request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
            using var response = _client.Send(request, limit.Token);
            if (response.StatusCode != HttpStatusCode.OK)
            {
                return (null, ServerStatus.NotThere);
            }

            using var body = response.Content.ReadAsStream(limit.Token);
            using var json = JsonDocument.Parse(body);
            var snapshot = ServerSnapshot.Read(json.RootElement, Stopwatch.GetTimestamp());
            return (snapshot, snapshot is null ? ServerStatus.NotThere : ServerStatus.Joined);
        }
        catch (JsonException)
        {
            return (null, ServerStatus.NotThere);
        }
        catch (HttpRequestException e) when (e.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError)
        {
            return (null, ServerStatus.Unreachable);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException or IOException)
        {
            return (null, ServerStatus.NoAnswer);
        }
    }

    public void Dispose() => _client.Dispose();
}
