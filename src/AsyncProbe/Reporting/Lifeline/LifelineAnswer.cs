using System.Text;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// A complete HTTP response. Many callers share one body, so only a few arrays are alive, however many callers read slowly.
/// </summary>
internal sealed class LifelineAnswer
{
    public const string Json = "application/json; charset=utf-8";

    private readonly byte[] _head;
    private readonly byte[] _body;

    /// <param name="status">The HTTP status.</param>
    /// <param name="type">The content type.</param>
    /// <param name="headers">Additional headers.</param>
    public LifelineAnswer(int status, string type, byte[] body, IEnumerable<(string Name, string Value)> headers)
    {
        var head = new StringBuilder($"HTTP/1.1 {status} {Reason(status)}\r\nContent-Type: {type}\r\nContent-Length: {body.Length}\r\n")
            .Append("Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n");
        foreach (var (name, value) in headers)
        {
            head.Append(name).Append(": ").Append(value).Append("\r\n");
        }

        (_head, _body) = (Encoding.ASCII.GetBytes(head.Append("\r\n").ToString()), body);
    }

    /// <summary>Whether the connection stays open afterwards, until the caller closes it or exits.</summary>
    public bool IsHeld { get; init; }

    public int Length => _head.Length + _body.Length;

    /// <summary>The bytes that follow the first <paramref name="sent"/>, or the first part of them.</summary>
    public ReadOnlySpan<byte> From(int sent) => sent < _head.Length ? _head.AsSpan(sent) : _body.AsSpan(sent - _head.Length);

    private static string Reason(int status) => status switch
    {
        200 => "OK",
        400 => "Bad Request",
        405 => "Method Not Allowed",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        _ => "Not Found",
    };
}
