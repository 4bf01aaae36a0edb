using System.Text;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Expands the parts of a multipart body that are written as <c>b64_</c> lines (since version 2.1).</summary>
internal static class MultipartBody
{
    public static (byte[] Bytes, string? Problem) Encode(string body, Encoding encoding)
    {
        using var result = new MemoryStream();
        var lines = body.Split("\r\n");
        for (var i = 0; i < lines.Length; i++)
        {
            // A part's content begins after the empty line that ends its headers.
            var line = lines[i];
            var blob = i > 0 && lines[i - 1].Length == 0 && line.StartsWith(BodyBytes.Base64Prefix, StringComparison.Ordinal);
            var bytes = blob ? BodyBytes.Decode(line) : encoding.GetBytes(line);
            if (bytes is null)
            {
                return ([], "A part of the multipart body starts with b64_, but what follows is not base64.");
            }

            result.Write(bytes);
            if (i < lines.Length - 1)
            {
                result.Write("\r\n"u8);
            }
        }

        // A multipart body ends with a line break after the closing boundary; reading the file trimmed it.
        result.Write("\r\n"u8);
        return (result.ToArray(), null);
    }
}
