namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Converts CR, LF and CRLF. <see cref="string.ReplaceLineEndings()"/> would also replace U+2028, U+2029 and U+0085, which a JSON string may
/// contain.
/// </summary>
internal static class LineBreaks
{
    public static string ToLf(string text) => text.Replace("\r\n", "\n", StringComparison.Ordinal).Replace('\r', '\n');

    public static string ToCrlf(string text) => ToLf(text).Replace("\n", "\r\n", StringComparison.Ordinal);
}
