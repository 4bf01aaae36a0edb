using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Finds the segments of a URL's path that are secrets: signed tokens, random text, and the segment after a word such as <c>token</c>. A
/// GUID or a number is an id, without which the request would be meaningless.
/// </summary>
internal static partial class PathTokens
{
    private const int ShortestRandom = 20;
    private const int ShortestHexadecimal = 40;

    // In random text of letters and digits, every other character is of a different kind than the one before; in words, hardly any is.
    private const double ManyChanges = 0.4;

    public static string Replace(string url, Func<string, string> placeholder)
    {
        var start = ImportedUrl.SchemeLength(url) is > 0 and var scheme ? url.IndexOf('/', scheme) : 0;
        if (start < 0)
        {
            return url;
        }

        var end = url.IndexOfAny(['?', '#'], start);
        var segments = url[start..(end < 0 ? url.Length : end)].Split('/');
        for (var i = 0; i < segments.Length; i++)
        {
            if (!segments[i].Contains("{{", StringComparison.Ordinal)
                && (IsSecret(segments[i]) || (i > 0 && Announcing().IsMatch(segments[i - 1]) && Announced().IsMatch(segments[i]))))
            {
                segments[i] = placeholder(segments[i]);
            }
        }

        return url[..start] + string.Join('/', segments) + (end < 0 ? "" : url[end..]);
    }

    private static bool IsSecret(string segment)
    {
        if (Signed().IsMatch(segment) || BotToken().IsMatch(segment))
        {
            return true;
        }

        if (segment.Length < ShortestRandom || Guid.TryParse(segment, out _) || !segment.Any(char.IsAsciiDigit)
            || !segment.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '=' or '.' or '~'))
        {
            return false;
        }

        return segment.All(char.IsAsciiHexDigit) ? segment.Length >= ShortestHexadecimal : Changes(segment) >= segment.Length * ManyChanges;
    }

    private static int Changes(string text)
    {
        // Hyphens separate words, so they don't count.
        var kinds = text.Where(char.IsAsciiLetterOrDigit).Select(Kind).ToList();
        return kinds.Zip(kinds.Skip(1)).Count(pair => pair.First != pair.Second);
    }

    private static int Kind(char c) => char.IsAsciiDigit(c) ? 0 : char.IsAsciiLetterUpper(c) ? 1 : 2;

    [GeneratedRegex("^eyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*$")]
    private static partial Regex Signed();

    /// <summary>The form that chat services use: a number, a colon and random text.</summary>
    [GeneratedRegex("^\\w*\\d{6,}(:|%3A)[\\w-]{20,}$", RegexOptions.IgnoreCase)]
    private static partial Regex BotToken();

    [GeneratedRegex("^(reset|invite|invitation|confirm|verify|magic|share|.*(token|secret|passw|api[-_]?key|otp|session[-_]?id).*)$", RegexOptions.IgnoreCase)]
    private static partial Regex Announcing();

    /// <summary>Contains a digit, and is longer than an id: the word after <c>token</c> may also be an action.</summary>
    [GeneratedRegex("^(?=.*\\d)(?!\\d+$)[\\w.~=-]{8,}$")]
    private static partial Regex Announced();
}
