using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Processes;

/// <summary>
/// Serves a probe's live page on a loopback port of the tool, below a random path: other users of the machine can reach the port, but
/// don't know the path. The probe itself opens no port.
/// </summary>
internal sealed partial class PageServer : IDisposable
{
    private const int MostConnections = 32;
    private const int LongestHead = 8 * 1024;

    private static readonly byte[] s_notFound =
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"u8.ToArray();

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(20);

    // After this time, the tool may have a free descriptor again.
    private static readonly TimeSpan s_untilRetry = TimeSpan.FromSeconds(0.2);

    private readonly TcpListener _listener = new(IPAddress.Loopback, port: 0);
    private readonly SemaphoreSlim _free = new(MostConnections);
    private readonly CancellationTokenSource _end = new();
    private readonly ProbeSocket _probe;
    private readonly Func<TcpListener, CancellationToken, ValueTask<Socket>> _accept;
    private readonly string _path = "/" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));

    /// <param name="probe">The probe whose page to serve.</param>
    /// <param name="accept">Accepts a connection; by default as the listener does.</param>
    public PageServer(ProbeSocket probe, Func<TcpListener, CancellationToken, ValueTask<Socket>>? accept = null)
    {
        _probe = probe;
        _accept = accept ?? (static (listener, end) => listener.AcceptSocketAsync(end));
        _listener.Start();
        Url = new Uri($"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}{_path}/");
        _ = AcceptAsync();
    }

    public Uri Url { get; }

    public void Dispose()
    {
        _end.Cancel();
        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                await _free.WaitAsync(_end.Token);
                _ = ServeAsync(await AcceptOneAsync());
            }
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
        {
            // The tool ends.
        }
    }

    private async Task<Socket> AcceptOneAsync()
    {
        while (true)
        {
            try
            {
                return await _accept(_listener, _end.Token);
            }
            catch (Exception e) when (e is not (OperationCanceledException or ObjectDisposedException))
            {
                // The tool has no free descriptor, for example, not even to load the assembly of this exception's type. The page must work
                // again once it has one.
                await Task.Delay(s_untilRetry, _end.Token);
            }
        }
    }

    private async Task ServeAsync(Socket browser)
    {
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
            limit.CancelAfter(s_longest);
            await using var stream = new NetworkStream(browser, ownsSocket: true);
            var head = await ReadHeadAsync(stream, limit.Token);
            if (head is null || Forwarded(head) is not { } request)
            {
                await stream.WriteAsync(s_notFound, limit.Token);
                return;
            }

            await using var probe = new NetworkStream(_probe.Connect(), ownsSocket: true);
            await probe.WriteAsync(Encoding.Latin1.GetBytes(request), limit.Token);
            await probe.CopyToAsync(stream, limit.Token);
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException)
        {
            // The browser has gone, or the process has.
        }
        finally
        {
            _free.Release();
        }
    }

    private static async Task<string?> ReadHeadAsync(NetworkStream stream, CancellationToken cancellationToken)
    {
        var head = new byte[LongestHead];
        for (var length = 0; length < head.Length;)
        {
            var count = await stream.ReadAsync(head.AsMemory(length), cancellationToken);
            length += count;
            if (count == 0)
            {
                return null;
            }

            if (head.AsSpan(0, length).IndexOf("\r\n\r\n"u8) is >= 0 and var end)
            {
                return Encoding.Latin1.GetString(head, 0, end + 4);
            }
        }

        return null;
    }

    // Only the page, its parts and the report: the probe's socket takes commands too, which are not for a browser.
    private string? Forwarded(string head)
    {
        var target = head.Split(' ', 3) is ["GET", var asked, _] ? asked : "";
        if (!target.StartsWith(_path, StringComparison.Ordinal))
        {
            return null;
        }

        var rest = target[_path.Length..];
        return Allowed().IsMatch(rest) ? $"GET /{rest.TrimStart('/')}{head[("GET ".Length + target.Length)..]}" : null;
    }

    [GeneratedRegex(@"^/?(\?history=\d{1,9}|[a-z]+\.(js|css)|help)?\z", RegexOptions.CultureInvariant)]
    private static partial Regex Allowed();
}
