using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// The only way for text from outside (session files, the server, saved runs, the command line) to reach a person. It masks secrets,
/// removes what a terminal would obey or a file format can't contain, and limits the length.
/// </summary>
internal static class SafeText
{
    private const int Longest = 2000;
    private const int LongestShort = 60;

    /// <summary>The rest is ignored: masking takes time, and a session may have a URL of many megabytes.</summary>
    private const int LongestMasked = 64 * 1024;

    private const char Replacement = '\uFFFD';

    /// <summary>Makes the text safe, on one line.</summary>
    public static string From(string text) => Clean(Secrets.Mask(text.Length <= Longest ? text : Cut(text)), keepLines: false);

    /// <summary>The beginning of a text, safe and on one line, to recognise it by.</summary>
    public static string Short(string text) => From(text) is { Length: > LongestShort } safe ? safe[..LongestShort] + "…" : From(text);

    /// <summary>Makes the text safe but keeps line breaks, for messages of several lines.</summary>
    public static string Lines(string text) => Clean(Secrets.Mask(text), keepLines: true);

    /// <summary>Doesn't mask: this is the very last step before a terminal, where text may already be in pieces.</summary>
    public static string Printable(string text) => Clean(text, keepLines: true);

    /// <summary>Masks before cutting, because the rest of a cut secret might be too short to recognise.</summary>
    private static string Cut(string text)
    {
        var masked = Secrets.Mask(text.Length <= LongestMasked ? text : text[..LongestMasked]);
        return masked.Length <= Longest ? masked : string.Concat(masked.AsSpan(0, Longest), "…");
    }

    private static string Clean(string text, bool keepLines)
    {
        var first = 0;
        while (first < text.Length && IsPlain(text[first]))
        {
            first++;
        }

        if (first == text.Length)
        {
            return text;
        }

        var clean = new StringBuilder(text.Length).Append(text, 0, first);
        for (var i = first; i < text.Length; i++)
        {
            var c = text[i];
            if (char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
            {
                // Tag characters, for example, are invisible text.
                var isHarmless = CharUnicodeInfo.GetUnicodeCategory(char.ConvertToUtf32(c, text[++i])) != UnicodeCategory.Format;
                clean.Append(isHarmless ? text.AsSpan(i - 1, 2) : [Replacement]);
            }
            else if (c is '\n' or '\t' || (c == '\r' && i + 1 < text.Length && text[i + 1] == '\n'))
            {
                clean.Append(keepLines ? c : ' ');
            }
            else
            {
                clean.Append(IsHarmless(c) ? c : Replacement);
            }
        }

        return clean.ToString();
    }

    private static bool IsPlain(char c) => c is >= ' ' and <= '~';

    /// <summary>
    /// Control characters start terminal commands, format characters reverse the direction of text, and half a surrogate pair is not valid
    /// text.
    /// </summary>
    private static bool IsHarmless(char c) => char.GetUnicodeCategory(c) is not (UnicodeCategory.Control or UnicodeCategory.Format
        or UnicodeCategory.Surrogate or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator)
        && c is not (>= '\uFFFE' and <= '\uFFFF');
}
