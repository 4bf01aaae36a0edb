using System.Text;

namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>Reads <c>value;type=…;filename=…</c>; the value may be quoted.</summary>
internal static class CurlPart
{
    public static FormPart Read(string name, string text)
    {
        var (value, others) = Value(text);
        string? type = null, file = null;
        // A type may have its own parameters: ";type=text/plain;charset=utf-8".
        foreach (var piece in others.Split(';', StringSplitOptions.RemoveEmptyEntries))
        {
            if (piece.TrimStart() is var known && known.StartsWith("type=", StringComparison.Ordinal))
            {
                type = known[5..].Trim();
            }
            else if (known.StartsWith("filename=", StringComparison.Ordinal))
            {
                file = known[9..].Trim().Trim('"');
            }
            else if (type is not null)
            {
                type += ";" + piece;
            }
        }

        return new(name, value, type ?? (file is null ? null : TypeOf(file)), file);
    }

    private static (string Value, string Others) Value(string text)
    {
        if (!text.StartsWith('"'))
        {
            var end = text.IndexOf(';', StringComparison.Ordinal);
            return end < 0 ? (text, "") : (text[..end].TrimEnd(), text[end..]);
        }

        var value = new StringBuilder();
        var at = 1;
        for (; at < text.Length && text[at] != '"'; at++)
        {
            at += text[at] == '\\' && at + 1 < text.Length ? 1 : 0;
            value.Append(text[at]);
        }

        return (value.ToString(), at + 1 < text.Length ? text[(at + 1)..] : "");
    }

    /// <summary>The same short list that curl has.</summary>
    private static string TypeOf(string file) => Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".gif" => "image/gif",
        ".jpg" or ".jpeg" => "image/jpeg",
        ".png" => "image/png",
        ".svg" => "image/svg+xml",
        ".txt" => "text/plain",
        ".htm" or ".html" => "text/html",
        ".pdf" => "application/pdf",
        ".xml" => "application/xml",
        _ => "application/octet-stream",
    };
}
