using System.Globalization;
using System.Text;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Reporting.Http;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>A parsed request head. Refuses anything it doesn't understand.</summary>
/// <param name="Status">200, or the status to refuse the request with.</param>
/// <param name="Path">The path, without the query string.</param>
internal sealed record LifelineRequest(int Status, string Path = "/")
{
    /// <summary>In bytes: more than a browser sends, and small enough to allocate for every connection.</summary>
    public const int MaxHead = 8 * 1024;

    private const string History = "history=";

    /// <summary>The parts of the query string.</summary>
    public IReadOnlyList<string> Query { get; private init; } = [];

    /// <summary>How many seconds of the pool's history the caller wants. As at the report's endpoint, an invalid value means all.</summary>
    public int HistorySeconds =>
        Query.FirstOrDefault(part => part.StartsWith(History, StringComparison.Ordinal)) is { } history
        && int.TryParse(history.AsSpan(History.Length), NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            ? seconds
            : int.MaxValue;

    public string? Accept { get; private init; }

    public string? Host { get; private init; }

    /// <summary>The origin of the page whose script sent the request; null for links, typed addresses and non-browsers.</summary>
    public string? Origin { get; private init; }

    /// <returns>Null while the head is not complete.</returns>
    public static LifelineRequest? Parse(ReadOnlySpan<byte> received)
    {
        var end = received.IndexOf("\r\n\r\n"u8);
        if (end < 0)
        {
            return received.Length >= MaxHead ? new LifelineRequest(431) : null;
        }

        // Latin-1 maps every byte to one character, so garbage doesn't throw.
        var lines = Encoding.Latin1.GetString(received[..end]).Split("\r\n");
        if (lines[0].Split(' ') is not [var method, ['/', ..] and var target, "HTTP/1.1" or "HTTP/1.0"])
        {
            return new LifelineRequest(400);
        }

        // Refuse before the answer can show what exists here: another site may have pointed its name at this machine.
        var headers = lines.Skip(1).Select(Split).ToList();
        if (!IsDirectLocalCaller(headers))
        {
            return new LifelineRequest(404);
        }

        if (method != "GET")
        {
            return new LifelineRequest(405);
        }

        var query = target.IndexOf('?', StringComparison.Ordinal);
        var path = query < 0 ? target : target[..query];

        // The lifeline also serves the report at its usual path, because tools ask for it there.
        return new LifelineRequest(200, path == ReportEndpoint.DefaultPath ? "/" : path)
        {
            Query = query < 0 ? [] : target[(query + 1)..].Split('&'),
            Accept = Value(headers, "Accept"),
            Host = Value(headers, "Host"),
            Origin = Value(headers, "Origin"),
        };
    }

    private static (string Name, string Value) Split(string header)
    {
        var colon = header.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 ? (header, "") : (header[..colon], header[(colon + 1)..].Trim());
    }

    private static string? Value(List<(string Name, string Value)> headers, string name) =>
        headers.Find(h => h.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Value;

    private static bool IsDirectLocalCaller(List<(string Name, string Value)> headers)
    {
        var hosts = headers.Where(h => h.Name.Equals("Host", StringComparison.OrdinalIgnoreCase)).ToList();
        return hosts.Count > 0
            && hosts.TrueForAll(h => LocalNames.IsLoopback(new HostString(h.Value).Host))
            && !headers.Exists(h => ProxyMarks.Is(h.Name));
    }
}
