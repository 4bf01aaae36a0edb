using System.Text;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// A whole answer. Many callers share one body, so that what is being sent is only a few arrays, however many read slowly.
/// </summary>
internal sealed class LifelineAnswer
{
    public const string Json = "application/json; charset=utf-8";

    private readonly byte[] _head;
    private readonly byte[] _body;

    /// <param name="status">The HTTP status.</param>
    /// <param name="type">The content type.</param>
    /// <param name="body">What is sent.</param>
    /// <param name="headers">Further headers.</param>
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

    /// <summary>Whether the connection stays open afterwards, until the caller closes it or dies.</summary>
    public bool IsHeld { get; init; }

    public int Length => _head.Length + _body.Length;

    /// <summary>What is left to send after so many bytes, or the first piece of it.</summary>
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
