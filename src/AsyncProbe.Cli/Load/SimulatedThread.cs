using System.Diagnostics;
using System.Net;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// One of WebSurge's threads as an asynchronous loop, with its own cookies and captured values, and its own connection unless connections
/// are shared.
/// </summary>
internal sealed class SimulatedThread : IDisposable
{
    private readonly LoadSettings _settings;
    private readonly Redirects _redirects;
    private readonly ThreadCookies? _cookies;
    private readonly HttpMessageInvoker _client;
    private readonly ByteCounter _counter = new();
    private readonly TokenStore _tokens;
    private CancellationTokenSource _timeout = new();
    private long _sentAt;

    public SimulatedThread(
        LoadSettings settings, PreparedRequest[] requests, SharedAuthorization authorization, Redirects redirects,
        HttpMessageInvoker? shared = null)
    {
        _settings = settings;
        _redirects = redirects;
        _cookies = settings.Cookies ? new ThreadCookies() : null;
        _client = shared ?? new HttpMessageInvoker(HttpHandlers.Create(settings.Insecure, settings.Timeout, settings.Decompress));
        _tokens = new TokenStore(authorization);
        Requests = requests;
    }

    /// <summary>The requests in the order in which this thread sends them.</summary>
    public PreparedRequest[] Requests { get; set; }

    /// <summary>The index of the session's user whose requests these are, for a driver that chooses threads by user.</summary>
    public int User { get; init; }

    /// <summary>The next request's index in the list, when a driver rather than the thread itself decides.</summary>
    public int Next { get; set; }

    /// <summary>When the request in flight was sent; 0 when there is none.</summary>
    public long SentAt => Volatile.Read(ref _sentAt);

    /// <summary>Sends one request and reads its response to the end. Failures are outcomes, never exceptions.</summary>
    /// <param name="request">The request.</param>
    /// <param name="planned">When it was due; without a plan, when it is sent.</param>
    /// <param name="sent">When it is sent: now.</param>
    public async Task<Outcome> SendAsync(PreparedRequest request, long planned, long sent)
    {
        Volatile.Write(ref _sentAt, sent);
        var status = 0;
        string? failure;
        long bytesSent = request.Body.Length;
        _counter.Reset();
        try
        {
            _timeout.CancelAfter(_settings.Timeout);
            using var message = Message(request, ref bytesSent);
            _cookies?.Send(message);
            var response = await _client.SendAsync(message, _timeout.Token).ConfigureAwait(false);
            _cookies?.Keep(request.Url, response);
            string? refusal = null;
            if (_settings.FollowRedirects && response.Headers.Location is not null)
            {
                (response, refusal) = await FollowAsync(request, response).ConfigureAwait(false);
            }

            using (response)
            {
                status = (int)response.StatusCode;
                await ReadAsync(request, response).ConfigureAwait(false);
                failure = refusal ?? FailureReason.FromStatus(status);
            }
        }
        catch (Exception e)
        {
            // Whatever a server sends may end one request but never the run.
            failure = FailureReason.From(e, _settings.Timeout);
        }

        var ended = Stopwatch.GetTimestamp();
        Rearm();
        Volatile.Write(ref _sentAt, 0);
        return new Outcome
        {
            Request = request.Index,
            Planned = planned,
            Sent = sent,
            Ended = ended,
            Status = status,
            Failure = failure,
            BytesReceived = _counter.Count,
            BytesSent = bytesSent,
        };
    }

    public void Dispose()
    {
        _client.Dispose();
        _timeout.Dispose();
    }

    private async Task<(HttpResponseMessage Response, string? Refusal)> FollowAsync(PreparedRequest request, HttpResponseMessage response)
    {
        var (from, method) = (request.Url, request.Method);
        for (var hop = 0; hop < Redirects.Most; hop++)
        {
            var (target, refusal) = _redirects.Next(response, from);
            if (target is null)
            {
                return (response, refusal);
            }

            var after = Redirects.MethodAfter(response.StatusCode, method);
            response.Dispose();
            long repeated = 0;
            using var message = Message(request, ref repeated);
            message.RequestUri = target;
            message.Method = after;
            message.Content = after == request.Method ? message.Content : null;
            message.Headers.Remove("Authorization");
            if (target.Authority != request.Url.Authority)
            {
                message.Headers.Host = null;
            }

            _cookies?.Send(message);
            response = await _client.SendAsync(message, _timeout.Token).ConfigureAwait(false);
            _cookies?.Keep(target, response);
            (from, method) = (target, after);
        }

        return (response, $"redirected more than {Redirects.Most} times");
    }

    private HttpRequestMessage Message(PreparedRequest request, ref long bytesSent)
    {
        var message = new HttpRequestMessage(request.Method, request.Url);
        if (_settings.Http2)
        {
            message.Version = HttpVersion.Version20;
            message.VersionPolicy = HttpVersionPolicy.RequestVersionExact;
        }

        _cookies?.Add(request);
        foreach (var header in request.Headers)
        {
            if (_cookies is null || !header.Is("Cookie"))
            {
                message.Headers.TryAddWithoutValidation(header.Name, header.Value);
            }
        }

        AddAuthorization(request, message);
        if (request.HasContent)
        {
            var body = _tokens.Inject(request) ?? request.Body;
            bytesSent = body.Length;
            message.Content = new ByteArrayContent(body);
            foreach (var header in request.ContentHeaders)
            {
                message.Content.Headers.TryAddWithoutValidation(header.Name, header.Value);
            }
        }

        return message;
    }

    private void AddAuthorization(PreparedRequest request, HttpRequestMessage message)
    {
        // The shared token replaces the request's bearer header, like ReplaceAuthorization; a token that the request injects itself takes
        // precedence.
        var own = request.Injections.Length > 0 ? _tokens.Bearer(request) : null;
        var shared = _tokens.Authorization;
        if (own is null && (shared is null || !message.Headers.Contains("Authorization")))
        {
            return;
        }

        message.Headers.Remove("Authorization");
        message.Headers.TryAddWithoutValidation("Authorization", own ?? shared);
    }

    private async Task ReadAsync(PreparedRequest request, HttpResponseMessage response)
    {
        if (request.Captures.Length == 0)
        {
            await response.Content.CopyToAsync(_counter, _timeout.Token).ConfigureAwait(false);
            return;
        }

        using var body = new MemoryStream();
        await response.Content.CopyToAsync(body, _timeout.Token).ConfigureAwait(false);
        _counter.Write(body.GetBuffer().AsSpan(0, (int)body.Length));
        _tokens.Capture(request, body.GetBuffer().AsMemory(0, (int)body.Length));
    }

    private void Rearm()
    {
        if (!_timeout.TryReset())
        {
            _timeout.Dispose();
            _timeout = new CancellationTokenSource();
        }
    }
}
