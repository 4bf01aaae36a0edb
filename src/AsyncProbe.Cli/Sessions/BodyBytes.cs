using System.Text;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Turns a body's text into the bytes to send: base64 blobs are decoded, other text is encoded in the content type's charset.
/// </summary>
internal static class BodyBytes
{
    public const string Base64Prefix = "b64_";

    public static (byte[] Bytes, string? Problem) Encode(SessionRequest request, string body)
    {
        if (body.Length == 0)
        {
            return ([], null);
        }

        var contentType = request.Header("Content-Type") ?? "";
        var encoding = Encoding(contentType);
        if (body.StartsWith(Base64Prefix, StringComparison.Ordinal))
        {
            return Decode(body) is { } bytes ? (bytes, null) : ([], "The body starts with b64_, but what follows is not base64.");
        }

        return contentType.TrimStart().StartsWith("multipart/", StringComparison.OrdinalIgnoreCase)
            ? MultipartBody.Encode(body, encoding)
            : (encoding.GetBytes(body), null);
    }

    /// <summary>Null when it is not base64. Every prefix is removed, so each body can contain only one blob.</summary>
    public static byte[]? Decode(string text)
    {
        var base64 = text.Replace(Base64Prefix, "", StringComparison.Ordinal);
        var buffer = new byte[base64.Length];
        return Convert.TryFromBase64String(base64, buffer, out var length) ? buffer[..length] : null;
    }

    private static Encoding Encoding(string contentType)
    {
        var at = contentType.IndexOf("charset=", StringComparison.OrdinalIgnoreCase);
        if (at < 0)
        {
            return System.Text.Encoding.UTF8;
        }

        var name = contentType[(at + "charset=".Length)..].Split(';')[0].Trim().Trim('"', '\'');
        if (name.Equals("utf-8", StringComparison.OrdinalIgnoreCase))
        {
            return System.Text.Encoding.UTF8;
        }

        try
        {
            return CodePagesEncodingProvider.Instance.GetEncoding(name) ?? System.Text.Encoding.GetEncoding(name);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // WebSurge falls back to Windows-1252 for an unknown charset. .NET refuses UTF-7, which is unsafe.
            return CodePagesEncodingProvider.Instance.GetEncoding(1252)!;
        }
    }
}
