using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text.Json;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// Reads <c>/_threadpool</c> over its own connection, without using the thread pool unless over HTTP/2. The calls are synchronous and
/// belong on a dedicated thread, so that neither a busy tool nor its load delays them. Whatever the server sends, a read returns in time.
/// </summary>
internal sealed class ReportClient : IDisposable
{
    /// <summary>A report with full tables has 2 MB.</summary>
    private const int MaxBytes = 32 * 1024 * 1024;

    private const int MostRedirects = 5;

    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(15);

    private readonly HttpMessageInvoker _client;
    private readonly bool _http2;
    private Socket? _socket;

    /// <param name="url">The report's URL.</param>
    /// <param name="insecure">Whether to accept any certificate.</param>
    /// <param name="connect">Opens the connection in another way than by the URL's host; null to use the host.</param>
    /// <param name="http2">Whether to use only HTTP/2.</param>
    public ReportClient(Uri url, bool insecure, Func<Socket>? connect = null, bool http2 = false)
    {
        Url = url;
        _http2 = http2;
        var handler = HttpHandlers.Create(insecure, ConnectTimeout);
        handler.ConnectCallback = (context, _) => new(connect is null ? Connect(context.DnsEndPoint) : Connect(connect));
        _client = new HttpMessageInvoker(handler);
    }

    /// <summary>The report's URL, or the target of a redirect that was followed.</summary>
    public Uri Url { get; private set; }

    /// <summary>Where the server redirected to, if that redirect wasn't followed.</summary>
    public Uri? RefusedRedirect { get; private set; }

    /// <summary>Returns the report, or null and the reason.</summary>
    public (ServerSnapshot? Snapshot, ServerStatus Status) Read(TimeSpan timeout, CancellationToken cancellationToken) =>
        Read(timeout, historySeconds: null, cancellationToken);

    /// <param name="timeout">How long to wait.</param>
    /// <param name="historySeconds">How much of the pool's history to ask for; null for all of it.</param>
    public (ServerSnapshot? Snapshot, ServerStatus Status) Read(TimeSpan timeout, int? historySeconds, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        // A token ends a synchronous call only until the headers arrive; closing the socket also ends reading the body.
        using var abort = limit.Token.UnsafeRegister(static client => Volatile.Read(ref ((ReportClient)client!)._socket)?.Dispose(), this);
        try
        {
            for (var hop = 0; ; hop++)
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, historySeconds is { } seconds ? WithHistory(seconds) : Url);
                request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
                using var response = Send(request, limit.Token);
                if (ReportRedirect.Target(response, Url) is { } target)
                {
                    if (hop == MostRedirects || !ReportRedirect.MayFollow(Url, target))
                    {
                        RefusedRedirect = target;
                        return (null, ServerStatus.Redirected);
                    }

                    // The requested history applies to this request only.
                    Url = new UriBuilder(target) { Query = Url.Query }.Uri;
                    continue;
                }

                return response.StatusCode switch
                {
                    HttpStatusCode.OK => ReadBody(response, limit.Token),
                    HttpStatusCode.NotFound => (null, ServerStatus.NotThere),
                    _ => (null, ServerStatus.Refused),
                };
            }
        }
        catch (Exception e)
        {
            return (null, limit.IsCancellationRequested ? ServerStatus.NoAnswer : StatusOf(e));
        }
    }

    public void Dispose() => _client.Dispose();

    private HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        if (!_http2)
        {
            return _client.Send(request, cancellationToken);
        }

        (request.Version, request.VersionPolicy) = (HttpVersion.Version20, HttpVersionPolicy.RequestVersionExact);
        // .NET has no synchronous HTTP/2.
        return _client.SendAsync(request, cancellationToken).GetAwaiter().GetResult();
    }

    private Uri WithHistory(int seconds) =>
        new(string.Create(CultureInfo.InvariantCulture, $"{Url}{(Url.Query.Length > 0 ? '&' : '?')}history={seconds}"));

    private static (ServerSnapshot? Snapshot, ServerStatus Status) ReadBody(
        HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using var body = response.Content.ReadAsStream(cancellationToken);
        using var bytes = new MemoryStream();
        var buffer = new byte[64 * 1024];
        for (int read; (read = body.Read(buffer)) > 0;)
        {
            bytes.Write(buffer, 0, read);
            if (bytes.Length > MaxBytes)
            {
                return (null, ServerStatus.Unreadable);
            }
        }

        using var json = JsonDocument.Parse(bytes.GetBuffer().AsMemory(0, (int)bytes.Length));
        var snapshot = ServerSnapshot.Read(json.RootElement, Stopwatch.GetTimestamp());
        return snapshot switch
        {
            null => (null, ServerStatus.Unreadable),
            { Schema: not ServerSnapshot.KnownSchema } => (null, ServerStatus.OtherSchema),
            _ => (snapshot, ServerStatus.Joined),
        };
    }

    private static ServerStatus StatusOf(Exception exception) => exception switch
    {
        HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError, InnerException: AuthenticationException } =>
            ServerStatus.Untrusted,
        HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError } =>
            ServerStatus.Unreachable,
        HttpRequestException or IOException or SocketException => ServerStatus.Reset,
        OperationCanceledException => ServerStatus.NoAnswer,
        // Not JSON, half a surrogate pair, or a number or time out of range.
        _ => ServerStatus.Unreadable,
    };

    private NetworkStream Connect(Func<Socket> connect)
    {
        var socket = connect();
        Volatile.Write(ref _socket, socket);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private NetworkStream Connect(DnsEndPoint server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        Volatile.Write(ref _socket, socket);
        try
        {
            socket.Connect(server);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
