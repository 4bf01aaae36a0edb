using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>Reads <c>$'…'</c>, which browsers write for bodies with line breaks.</summary>
internal static class AnsiQuotes
{
    /// <param name="text">The script.</param>
    /// <param name="at">The position after the opening quote; on return, the position after the closing quote.</param>
    public static string Read(string text, ref int at)
    {
        // Collect bytes, because \x stands for a single byte of UTF-8.
        var bytes = new List<byte>();
        var start = at;
        while (at < text.Length && text[at] != '\'')
        {
            if (text[at] != '\\' || at + 1 >= text.Length)
            {
                at++;
                continue;
            }

            bytes.AddRange(Encoding.UTF8.GetBytes(text[start..at]));
            at++;
            Escape(text, ref at, bytes);
            start = at;
        }

        bytes.AddRange(Encoding.UTF8.GetBytes(text[start..at]));
        at = Math.Min(at + 1, text.Length);
        return Encoding.UTF8.GetString([.. bytes]);
    }

    private static void Escape(string text, ref int at, List<byte> bytes)
    {
        var c = text[at++];
        var simple = "abefnrtv".IndexOf(c, StringComparison.Ordinal);
        if (simple >= 0)
        {
            bytes.Add("\a\b\u001B\f\n\r\t\v"u8[simple]);
        }
        else if (c is 'x' && Digits(text, ref at, 2) is { } code)
        {
            bytes.Add((byte)code);
        }
        else if (c is 'u' or 'U' && Digits(text, ref at, c == 'u' ? 4 : 8) is { } rune)
        {
            Append(text, ref at, rune, bytes);
        }
        else
        {
            // Also \' \" \\ and \?.
            bytes.AddRange(Encoding.UTF8.GetBytes(c.ToString()));
        }
    }

    /// <summary>Browsers write a character outside the Basic Multilingual Plane as two halves.</summary>
    private static void Append(string text, ref int at, int code, List<byte> bytes)
    {
        if (code is >= 0xD800 and <= 0xDBFF && at + 2 <= text.Length && text.AsSpan(at, 2) is "\\u")
        {
            var next = at + 2;
            if (Digits(text, ref next, 4) is >= 0xDC00 and <= 0xDFFF and var low)
            {
                at = next;
                code = char.ConvertToUtf32((char)code, (char)low);
            }
        }

        bytes.AddRange(Encoding.UTF8.GetBytes((Rune.IsValid(code) ? new Rune(code) : Rune.ReplacementChar).ToString()));
    }

    private static int? Digits(string text, ref int at, int most)
    {
        var end = at;
        while (end < text.Length && end < at + most && char.IsAsciiHexDigit(text[end]))
        {
            end++;
        }

        if (end == at)
        {
            return null;
        }

        var code = int.Parse(text.AsSpan(at, end - at), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        at = end;
        return code;
    }
}
