using System.Text;
using AsyncProbe.Reporting.Http;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>Decides from the bytes of a request's head what to answer. Pure; whatever it does not understand it refuses.</summary>
internal static class LifelineRequest
{
    /// <summary>More than a browser sends, and little enough to keep for every connection.</summary>
    public const int MaxHead = 8 * 1024;

    /// <returns>The status to answer with; null while the head is not complete.</returns>
    public static int? Judge(ReadOnlySpan<byte> received)
    {
        var end = received.IndexOf("\r\n\r\n"u8);
        if (end < 0)
        {
            return received.Length >= MaxHead ? 431 : null;
        }

        // Latin-1 maps every byte to one character, so garbage stays garbage and throws nothing.
        var lines = Encoding.Latin1.GetString(received[..end]).Split("\r\n");
        if (lines[0].Split(' ') is not [var method, var target, "HTTP/1.1" or "HTTP/1.0"])
        {
            return 400;
        }

        // Refused before anything is told of what there is: a page of another site may have had its name pointed at this machine.
        if (!IsDirectLocalCaller(lines.AsSpan(1)))
        {
            return 404;
        }

        return method != "GET" ? 405 : target == "/" ? 200 : 404;
    }

    private static bool IsDirectLocalCaller(ReadOnlySpan<string> headers)
    {
        var isLocalName = false;
        foreach (var header in headers)
        {
            var colon = header.IndexOf(':', StringComparison.Ordinal);
            var name = colon < 0 ? header : header[..colon];
            if (LocalCaller.IsForwardingHeader(name))
            {
                return false;
            }

            if (name.Equals("Host", StringComparison.OrdinalIgnoreCase))
            {
                isLocalName = LocalCaller.IsLoopbackName(new Microsoft.AspNetCore.Http.HostString(header[(colon + 1)..].Trim()).Host);
                if (!isLocalName)
                {
                    return false;
                }
            }
        }

        return isLocalName;
    }
}
