using System.Net;
using System.Net.Sockets;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Names failures so that equal ones are counted together.</summary>
internal static class FailureReason
{
    private static readonly string[] Statuses = [.. Enumerable.Range(0, 600).Select(
        status => $"HTTP {status} {Enum.GetName((HttpStatusCode)status)}".TrimEnd())];

    /// <summary>
    /// WebSurge's rule: status codes of 400 and above are failures. Doesn't allocate, because there may be 100,000 calls per second.
    /// </summary>
    public static string? FromStatus(int status) => status < 400 ? null : Statuses[Math.Min(status, Statuses.Length - 1)];

    public static string From(Exception exception, TimeSpan timeout) => exception switch
    {
        OperationCanceledException => $"timeout after {timeout.TotalSeconds:0.###} s",
        HttpRequestException { InnerException: SocketException socket } => From(socket),
        HttpRequestException { HttpRequestError: HttpRequestError.ResponseEnded } => "the server closed the connection before answering",
        HttpRequestException { InnerException: IOException { InnerException: SocketException socket } } => From(socket),
        IOException { InnerException: SocketException socket } => From(socket),
        HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } =>
            "TLS: the certificate or the handshake was refused (--insecure skips the check)",
        _ => SafeText.From(exception.GetBaseException().Message.Split('\n')[0]),
    };

    public static string From(SocketException socket) => socket.SocketErrorCode switch
    {
        SocketError.ConnectionRefused => "connection refused",
        SocketError.ConnectionReset or SocketError.Shutdown => "connection reset by the server",
        SocketError.TimedOut => "connecting timed out",
        SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => "the host name was not found",
        SocketError.TooManyOpenSockets => "too many open files on this machine (raise ulimit -n)",
        SocketError.AddressNotAvailable => "no free local port on this machine",
        var code => $"socket error {code}",
    };
}
