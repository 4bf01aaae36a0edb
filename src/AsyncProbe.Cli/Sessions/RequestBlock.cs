namespace AsyncProbe.Cli.Sessions;

/// <summary>Reads one block: request line, headers to the first empty line, body; an embedded response is cut off.</summary>
internal static class RequestBlock
{
    public static SessionRequest? Read(string block, int firstLine, List<SessionDiagnostic> diagnostics)
    {
        var lines = block.Split('\n');
        var (verb, url) = RequestLine.Read(lines[0].TrimEnd('\r'), firstLine, diagnostics);
        if (verb == "CONNECT")
        {
            diagnostics.Add(new(Severity.Note, firstLine, "A CONNECT request is skipped, as WebSurge does."));
            return null;
        }

        var headers = new HeaderLines(diagnostics);
        var body = new List<string>();
        var inBody = false;
        for (var i = 1; i < lines.Length; i++)
        {
            var line = lines[i].EndsWith('\r') ? lines[i][..^1] : lines[i];
            if (line.StartsWith("HTTP/", StringComparison.Ordinal))
            {
                diagnostics.Add(
                    new(
                        Severity.Note, firstLine + i,
                        "What starts with HTTP/ is a saved response: this line and the rest of the block are ignored."));
                break;
            }

            if (inBody)
            {
                body.Add(line);
            }
            else if (line.Length == 0)
            {
                inBody = true;
            }
            else
            {
                headers.Add(line, firstLine + i);
            }
        }

        var content = string.Join("\r\n", body).TrimEnd();
        if (verb == "GET" && content.Length > 0)
        {
            diagnostics.Add(
                new(Severity.Warning, firstLine, "A GET request's body is not read, as in WebSurge; use another verb to send one."));
            content = "";
        }

        return headers.Complete(new SessionRequest { Verb = verb, Url = url, Body = content, Line = firstLine });
    }
}
