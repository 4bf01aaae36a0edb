using System.Text;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Reads one block: the request line, headers up to the first empty line, and the body. An embedded response is cut off.</summary>
internal static class RequestBlock
{
    public static SessionRequest? Read(ReadOnlySpan<char> block, int firstLine, SessionDiagnostics diagnostics)
    {
        var rest = block;
        var (verb, url) = RequestLine.Read(TakeLine(ref rest).TrimEnd('\r').ToString(), firstLine, diagnostics);
        if (verb == "CONNECT")
        {
            diagnostics.Add(new(Severity.Note, firstLine, "A CONNECT request is skipped, as WebSurge does."));
            return null;
        }

        var headers = new HeaderLines(diagnostics);
        var body = new StringBuilder();
        var inBody = false;
        for (var number = firstLine + 1; rest.Length > 0; number++)
        {
            var line = TakeLine(ref rest);
            if (line.StartsWith("HTTP/", StringComparison.Ordinal))
            {
                diagnostics.Add(
                    new(
                        Severity.Note, number,
                        "What starts with HTTP/ is a saved response: this line and the rest of the block are ignored."));
                break;
            }

            if (inBody)
            {
                body.Append(line).Append("\r\n");
            }
            else if (line.Length == 0)
            {
                inBody = true;
            }
            else
            {
                headers.Add(line.ToString(), number);
            }
        }

        var content = body.ToString().TrimEnd();
        if (verb == "GET" && content.Length > 0)
        {
            diagnostics.Add(
                new(Severity.Warning, firstLine, "A GET request's body is not read, as in WebSurge; use another verb to send one."));
            content = "";
        }

        return headers.Complete(new SessionRequest { Verb = verb, Url = url, Body = content, Line = firstLine });
    }

    /// <summary>Doesn't copy the block, because a body may have millions of lines.</summary>
    private static ReadOnlySpan<char> TakeLine(ref ReadOnlySpan<char> text)
    {
        var end = text.IndexOf('\n');
        var line = end < 0 ? text : text[..end];
        text = end < 0 ? [] : text[(end + 1)..];
        return line is [.., '\r'] ? line[..^1] : line;
    }
}
