using System.Text;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Writes a file that WebSurge 1.13, 2 and 3 can all open: CRLF, a separator after every block, the options last. A body that the format
/// would damage is written as base64. A session that can't be written correctly is rejected.
/// </summary>
internal static class SessionWriter
{
    public const string Separator = "------------------------------------------------------------------";

    private const string Line = "\r\n";

    public static string Write(Session session)
    {
        var text = new StringBuilder();
        foreach (var request in session.Requests)
        {
            Refuse(request);
            Write(request, text);
        }

        if (session.WrittenOptions is { } options)
        {
            text.Append(Line).Append(OptionsBlock.Start).Append(Line).Append(Line)
                .Append(OptionsWriter.Write(options)).Append(Line).Append(Line)
                .Append(OptionsBlock.End).Append(Line);
        }

        return text.ToString();
    }

    private static void Write(SessionRequest request, StringBuilder text)
    {
        text.Append(request.Verb).Append(' ').Append(request.Url).Append(" HTTP/1.1").Append(Line);
        foreach (var header in InSafeOrder(request.Headers))
        {
            text.Append(header.Name).Append(": ").Append(header.Value).Append(Line);
        }

        if (request.Inactive)
        {
            text.Append("Websurge-Request-Inactive: 1").Append(Line);
        }

        if (request.Name is not null)
        {
            text.Append("Websurge-Request-Name: ").Append(request.Name).Append(Line);
        }

        if (request.SortNoRandomize)
        {
            text.Append("Websurge-Request-SortNoRandomize: true").Append(Line);
        }

        text.Append(Line);
        if (request.Body.Length > 0)
        {
            text.Append(SafeBody(request)).Append(Line).Append(Line);
        }

        text.Append(Separator).Append(Line).Append(Line);
    }

    /// <summary>Reading trims blocks: if the last header had no value, it would lose its blank and then be dropped.</summary>
    private static IEnumerable<SessionHeader> InSafeOrder(IReadOnlyList<SessionHeader> headers) =>
        headers is [.., { Value: "" }] ? headers.OrderBy(header => header.Value.Length > 0) : headers;

    private static string SafeBody(SessionRequest request)
    {
        var body = request.Body;
        if (Survives(body))
        {
            return body;
        }

        var (bytes, problem) = BodyBytes.Encode(request, body);
        return problem is null
            ? BodyBytes.Base64Prefix + Convert.ToBase64String(bytes)
            : throw new SessionException($"The request \"{request.Title}\" cannot be saved. {problem}");
    }

    private static bool Survives(string body) =>
        body.TrimEnd() == body
        && !body.Contains(OptionsBlock.Start, StringComparison.OrdinalIgnoreCase)
        && !body.Contains('\uFEFF', StringComparison.Ordinal)
        && body.Split("\r\n").All(line => !line.Contains('\n', StringComparison.Ordinal)
            && !line.EndsWith('\r')
            && !line.StartsWith("HTTP/", StringComparison.Ordinal)
            && !(line.Length > 0 && line.All(c => c == '-')));

    private static void Refuse(SessionRequest request)
    {
        var title = request.Title;
        if (request.Verb.Length == 0 || request.Verb.Any(c => char.IsWhiteSpace(c) || c == '-') || request.Verb is "CONNECT")
        {
            throw new SessionException($"The request \"{title}\" cannot be saved: its verb is \"{request.Verb}\".");
        }

        if (request.Url.Length == 0 || OneLine(request.Url) || request.Url.Contains(" HTTP/", StringComparison.OrdinalIgnoreCase))
        {
            throw new SessionException($"The request \"{title}\" cannot be saved: its URL is empty or would end early in the file.");
        }

        if (request.Verb == "GET" && request.Body.Length > 0)
        {
            throw new SessionException($"The request \"{title}\" cannot be saved: the format drops the body of a GET.");
        }

        if (request.Headers.Any(header => header.Name.Length == 0 || header.Name.Contains(':', StringComparison.Ordinal)
            || header.Name.StartsWith("HTTP/", StringComparison.Ordinal) || OneLine(header.Name) || OneLine(header.Value))
            || OneLine(request.Name ?? ""))
        {
            throw new SessionException($"The request \"{title}\" cannot be saved: a header has no name, or holds a line break.");
        }

        static bool OneLine(string text) =>
            text.AsSpan().ContainsAny('\r', '\n') || text.Contains(OptionsBlock.Start, StringComparison.OrdinalIgnoreCase);
    }
}
