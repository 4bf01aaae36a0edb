using System.Globalization;
using System.Text;
using AsyncProbe.Reporting.Http;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>What a request's head asks for. Pure; whatever it does not understand it refuses.</summary>
/// <param name="Status">200, unless the request is refused whatever it asks for.</param>
/// <param name="Path">The path, without the query string.</param>
internal sealed record LifelineRequest(int Status, string Path = "/")
{
    /// <summary>More than a browser sends, and little enough to keep for every connection.</summary>
    public const int MaxHead = 8 * 1024;

    /// <summary>How much of the pool's history is wanted.</summary>
    public int HistorySeconds { get; private init; } = int.MaxValue;

    public string? Accept { get; private init; }

    public string? Host { get; private init; }

    /// <summary>The page whose script asks; null for links, for what was typed, and for what is no browser.</summary>
    public string? Origin { get; private init; }

    /// <returns>Null while the head is not complete.</returns>
    public static LifelineRequest? Parse(ReadOnlySpan<byte> received)
    {
        var end = received.IndexOf("\r\n\r\n"u8);
        if (end < 0)
        {
            return received.Length >= MaxHead ? new LifelineRequest(431) : null;
        }

        // Latin-1 maps every byte to one character, so garbage stays garbage and throws nothing.
        var lines = Encoding.Latin1.GetString(received[..end]).Split("\r\n");
        if (lines[0].Split(' ') is not [var method, var target, "HTTP/1.1" or "HTTP/1.0"])
        {
            return new LifelineRequest(400);
        }

        // Refused before anything is told of what there is: a page of another site may have had its name pointed at this machine.
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
        return new LifelineRequest(200, query < 0 ? target : target[..query])
        {
            HistorySeconds = query < 0 ? int.MaxValue : Seconds(target[(query + 1)..]),
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

    // As the report's own address takes it: what means nothing is ignored.
    private static int Seconds(string query) =>
        query.Split('&').FirstOrDefault(q => q.StartsWith("history=", StringComparison.Ordinal)) is { } history
        && int.TryParse(history.AsSpan("history=".Length), NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            ? seconds
            : int.MaxValue;

    private static bool IsDirectLocalCaller(List<(string Name, string Value)> headers)
    {
        var hosts = headers.Where(h => h.Name.Equals("Host", StringComparison.OrdinalIgnoreCase)).ToList();
        return hosts.Count > 0
            && hosts.TrueForAll(h => LocalNames.IsLoopback(new HostString(h.Value).Host))
            && !headers.Exists(h => ProxyMarks.Is(h.Name));
    }
}
