using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Har;

/// <summary>Reads one request of a capture.</summary>
internal sealed class HarRequest(ImportedSecrets secrets, Action<Severity, string, string> say)
{
    /// <summary>Headers that belong to the captured connection.</summary>
    private static readonly HashSet<string> s_ofTheConnection = new(StringComparer.OrdinalIgnoreCase)
    {
        "Connection", "Keep-Alive", "Upgrade", "HTTP2-Settings", "TE", "Host", "Content-Length", "Transfer-Encoding", "Proxy-Connection",
    };

    /// <returns>Null when it cannot be sent.</returns>
    public SessionRequest? Read(JsonElement request, string path)
    {
        var (verb, url) = ((request.Text("method") ?? "GET").ToUpperInvariant(), request.Text("url") ?? "");
        if (!SessionFile.IsUrl(url) || IsCut(url) || verb.Length == 0 || !verb.All(char.IsAsciiLetterUpper) || verb == "CONNECT")
        {
            say(
                Severity.Note, path,
                $"\"{SafeText.From($"{verb} {(url.Length > 80 ? url[..80] : url)}")}\" cannot be sent as a request, so it is left out.");
            return null;
        }

        var headers = new ImportedHeaders((severity, message) => say(severity, path, message));
        ReadHeaders(request, headers);
        var (body, problem) = Body(request.Find("postData"), headers);
        if (problem is not null)
        {
            say(Severity.Warning, path + ".postData", $"The request is inactive, because {problem}.");
        }

        if (verb == "GET" && body.Length > 0)
        {
            say(Severity.Warning, path, "A GET request's body is not sent, as in WebSurge; use another verb to send one.");
            body = "";
        }

        return new SessionRequest
        {
            Verb = verb,
            Url = ImportedUrl.Clean(url),
            Headers = headers.All,
            Body = body,
            Name = Name(request),
            Inactive = problem is not null,
            JsonPath = path,
        };
    }

    /// <summary>The comment, where export writes the name.</summary>
    private static string? Name(JsonElement request) =>
        request.Text("comment") is { Length: > 0 } text && !text.AsSpan().ContainsAny('\r', '\n') && !IsCut(text) ? text : null;

    private void ReadHeaders(JsonElement request, ImportedHeaders headers)
    {
        foreach (var (name, value, _) in Pairs(request.Find("headers")))
        {
            // HTTP/2 has the method, path and host as headers that begin with a colon.
            if (name.Length > 0 && name[0] != ':' && !s_ofTheConnection.Contains(name))
            {
                headers.Add(name, value);
                secrets.AddIfNamedSo(name, IsWholeSecret(name) ? null : value);
            }
        }

        var cookies = Pairs(request.Find("cookies")).Select(cookie => $"{cookie.Name}={cookie.Value}").ToList();
        if (cookies.Count > 0)
        {
            headers.AddIfMissing("Cookie", string.Join("; ", cookies));
        }
    }

    /// <summary>Whether the header's whole value is replaced anyway.</summary>
    private static bool IsWholeSecret(string name) =>
        name.Equals("Cookie", StringComparison.OrdinalIgnoreCase) || name.Equals("Authorization", StringComparison.OrdinalIgnoreCase);

    private (string Body, string? Problem) Body(JsonElement data, ImportedHeaders headers)
    {
        var (text, type) = (data.Text("text"), data.Text("mimeType") ?? "");
        var pairs = Pairs(data.Find("params")).ToList();
        foreach (var (name, value, _) in pairs)
        {
            secrets.AddIfNamedSo(name, value);
        }

        if (text is { Length: > 0 })
        {
            return IsCut(text)
                ? ("", $"its body is longer than {HarReader.LongestText / 1048576} MB")
                : (Text(text, type, data, headers), null);
        }

        if (pairs.Count == 0)
        {
            return ("", null);
        }

        if (!type.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase))
        {
            headers.AddIfMissing("Content-Type", ImportedBody.FormType);
            // Browsers write them already encoded, as they were sent.
            return (string.Join('&', pairs.Select(pair => $"{pair.Name}={pair.Value}")), null);
        }

        if (pairs.Exists(pair => pair.Item.Text("fileName") is { Length: > 0 } && pair.Value.Length == 0))
        {
            return ("", "it sends a file that the capture does not hold");
        }

        var (body, own) = ImportedBody.Multipart(
            pairs.ConvertAll(pair => new FormPart(pair.Name, pair.Value, pair.Item.Text("contentType"), pair.Item.Text("fileName"))));
        headers.Set("Content-Type", own);
        return (body, null);
    }

    private static string Text(string text, string type, JsonElement data, ImportedHeaders headers)
    {
        if (type.Length > 0)
        {
            headers.AddIfMissing("Content-Type", type);
        }

        if (data.Text("encoding") == "base64" && BodyBytes.Decode(text) is { } bytes)
        {
            return ImportedBody.Base64(bytes);
        }

        // The line break at the end of a multipart body is added again when it is sent.
        return type.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase) && text.EndsWith("\r\n", StringComparison.Ordinal)
            ? text[..^2]
            : ImportedBody.Text(text);
    }

    private static bool IsCut(string text) => text.EndsWith('\0');

    private static IEnumerable<(string Name, string Value, JsonElement Item)> Pairs(JsonElement list) =>
        list.Items().Select(item => (item.Value.Text("name") ?? "", item.Value.Text("value") ?? "", item.Value));
}
