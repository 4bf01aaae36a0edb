using System.Buffers;
using System.Globalization;
using System.Text;

namespace AsyncProbe.Requests.Operations;

/// <summary>
/// Names operations so that the table stays bounded and contains no user data: anything that looks like an id, a number, a path or an
/// e-mail address becomes <c>{…}</c>.
/// </summary>
internal static class OperationName
{
    private const string Placeholder = "{…}";
    private const int MostCharacters = 120;

    // Each word adds at least a character and a space, so what follows these is never reached.
    private const int MostWords = (MostCharacters / 2) + 2;

    // In random text, every other character switches between letters, digits and cases; in words, hardly any does.
    private const int LongToken = 16;
    private const double ManyChanges = 0.4;

    private static readonly SearchValues<char> s_hexadecimal = SearchValues.Create("0123456789abcdefABCDEF-");

    // Characters that may surround an address: <jane@example.org>, mailto:jane@example.org, to=jane@example.org;
    private static readonly SearchValues<char> s_aroundAddresses = SearchValues.Create("<>()[]{},;:\"'=|/\\?&");

    public static string From(string displayName)
    {
        var name = new StringBuilder();
        foreach (var word in displayName.Split((char[]?)null, MostWords, StringSplitOptions.RemoveEmptyEntries))
        {
            if (name.Length > 0)
            {
                name.Append(' ');
            }

            AddWord(name, word);
            if (name.Length >= MostCharacters)
            {
                return name.Append('…').ToString();
            }
        }

        return name.Length == 0 ? Placeholder : name.ToString();
    }

    private static void AddWord(StringBuilder name, string word)
    {
        if (IsPath(word))
        {
            name.Append(Placeholder);
            return;
        }

        for (var start = 0; start < word.Length && name.Length < MostCharacters;)
        {
            var end = word.AsSpan(start).IndexOfAny(s_aroundAddresses) is >= 0 and var length ? start + length : word.Length;
            var part = word.AsSpan(start, end - start);
            if (IsAddress(part))
            {
                name.Append(Placeholder);
            }
            else
            {
                AddPart(name, part);
            }

            if (end < word.Length)
            {
                name.Append(word[end]);
            }

            start = end + 1;
        }
    }

    private static void AddPart(StringBuilder name, ReadOnlySpan<char> part)
    {
        for (var start = 0; start < part.Length && name.Length < MostCharacters;)
        {
            var end = start;
            while (end < part.Length && IsOfToken(part[end]))
            {
                end++;
            }

            if (end > start)
            {
                AddToken(name, part[start..Math.Min(end, start + MostCharacters)]);
                start = end;
            }
            else
            {
                Rune.DecodeFromUtf16(part[start..], out var rune, out var length);
                AddSymbol(name, rune);
                start += length;
            }
        }
    }

    // A line break or an escape sequence would forge a log line; a bidirectional mark would reverse the text after it. Neither belongs in a
    // name.
    private static void AddSymbol(StringBuilder name, Rune symbol)
    {
        var isPrintable = Rune.GetUnicodeCategory(symbol) is not (UnicodeCategory.Control or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.PrivateUse
            or UnicodeCategory.OtherNotAssigned);
        name.Append(isPrintable ? symbol.ToString() : "?");
    }

    // Also handles percent-encoded addresses, and the full-width sign of East Asian text. "@page" is not an address.
    private static bool IsAddress(ReadOnlySpan<char> part) =>
        part is [_, .. var inside, _] && (inside.ContainsAny('@', '\uFF20') || inside.Contains("%40", StringComparison.Ordinal));

    // Many names contain one slash (hub and method, queue and action); a route or a file starts with one or has more.
    private static bool IsPath(string word) =>
        word is ['/' or '\\', _, ..] or ['~', '/', ..] or [_, ':', '\\', ..] || word.Contains("://", StringComparison.Ordinal)
            || word.Count(c => c is '/' or '\\') > 1;

    private static bool IsOfToken(char c) => char.IsLetterOrDigit(c) || c is '-' or '_';

    private static void AddToken(StringBuilder name, ReadOnlySpan<char> token)
    {
        if (Guid.TryParse(token, out _) || IsRandom(token))
        {
            name.Append(Placeholder);
            return;
        }

        for (var i = 0; i < token.Length; i++)
        {
            if (!char.IsDigit(token[i]))
            {
                name.Append(token[i]);
            }
            else if (i == 0 || !char.IsDigit(token[i - 1]))
            {
                name.Append(Placeholder);
            }
        }
    }

    private static bool IsRandom(ReadOnlySpan<char> token)
    {
        if (token.Length < LongToken || token.IndexOfAnyInRange('0', '9') < 0)
        {
            return false;
        }

        var changes = 0;
        for (var i = 1; i < token.Length; i++)
        {
            changes += KindOf(token[i]) == KindOf(token[i - 1]) ? 0 : 1;
        }

        return changes >= token.Length * ManyChanges || !token.ContainsAnyExcept(s_hexadecimal);
    }

    private static int KindOf(char c) => char.IsDigit(c) ? 0 : char.IsUpper(c) ? 1 : char.IsLower(c) ? 2 : 3;
}
