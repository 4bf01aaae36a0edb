using System.Text;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Converts bodies to the form that a session uses.</summary>
internal static class ImportedBody
{
    public const string FormType = "application/x-www-form-urlencoded";

    /// <summary>Text that would be mistaken for base64 is written as base64.</summary>
    public static string Text(string text) =>
        text.StartsWith(BodyBytes.Base64Prefix, StringComparison.Ordinal) ? Base64(Encoding.UTF8.GetBytes(text)) : text;

    public static string Base64(byte[] bytes) => BodyBytes.Base64Prefix + Convert.ToBase64String(bytes);

    public static string Form(IEnumerable<(string Name, string Value)> pairs) =>
        string.Join('&', pairs.Select(pair => $"{Escape(pair.Name)}={Escape(pair.Value)}"));

    /// <summary>Percent-encodes everything except variables, which get their values later.</summary>
    public static string Escape(string text)
    {
        var escaped = new StringBuilder();
        for (var at = 0; at < text.Length;)
        {
            var open = text.IndexOf("{{", at, StringComparison.Ordinal);
            var close = open < 0 ? -1 : text.IndexOf("}}", open, StringComparison.Ordinal);
            var end = close < 0 ? text.Length : open;
            escaped.Append(Uri.EscapeDataString(text[at..end]));
            at = end;
            if (close >= 0)
            {
                escaped.Append(text, open, close + 2 - open);
                at = close + 2;
            }
        }

        return escaped.ToString();
    }

    /// <returns>The body, and the content type with its boundary.</returns>
    public static (string Body, string ContentType) Multipart(IReadOnlyList<FormPart> parts)
    {
        var boundary = "----AsyncProbeFormBoundary";
        while (parts.Any(part => part.Value.Contains(boundary, StringComparison.Ordinal)))
        {
            boundary += "0";
        }

        var body = new StringBuilder();
        foreach (var part in parts)
        {
            body.Append("--").Append(boundary).Append("\r\nContent-Disposition: form-data; name=\"").Append(Quoted(part.Name)).Append('"');
            if (part.FileName is not null)
            {
                body.Append("; filename=\"").Append(Quoted(part.FileName)).Append('"');
            }

            body.Append("\r\n");
            if (part.ContentType is { Length: > 0 } type && !type.AsSpan().ContainsAny('\r', '\n'))
            {
                body.Append("Content-Type: ").Append(type).Append("\r\n");
            }

            // A line after an empty one would be decoded if it begins with the base64 prefix.
            var value = part.Value.Contains(BodyBytes.Base64Prefix, StringComparison.Ordinal)
                ? Base64(Encoding.UTF8.GetBytes(part.Value))
                : part.Value;
            body.Append("\r\n").Append(value).Append("\r\n");
        }

        return (body.Append("--").Append(boundary).Append("--").ToString(), $"multipart/form-data; boundary={boundary}");
    }

    private static string Quoted(string text) =>
        text.Replace("\"", "%22", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal)
            .Replace("\n", "%0A", StringComparison.Ordinal);
}
