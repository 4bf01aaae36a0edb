using System.Buffers;
using System.Text;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Names operations so that the table stays bounded and no user data gets into it: what looks like an id, a number or a path becomes
/// <c>{…}</c>.
/// </summary>
internal static class OperationName
{
    private const string Placeholder = "{…}";
    private const int MostCharacters = 120;

    // Random text of letters and digits changes its kind of character at every other one, words hardly ever.
    private const int LongToken = 16;
    private const double ManyChanges = 0.4;

    private static readonly SearchValues<char> s_hexadecimal = SearchValues.Create("0123456789abcdefABCDEF-");

    public static string From(string displayName)
    {
        var name = new StringBuilder();
        foreach (var word in displayName.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
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

        for (var start = 0; start < word.Length;)
        {
            var end = start;
            while (end < word.Length && IsOfToken(word[end]))
            {
                end++;
            }

            if (end > start)
            {
                AddToken(name, word.AsSpan(start, Math.Min(end - start, MostCharacters)));
            }

            if (end < word.Length)
            {
                // A line break or an escape would forge a line of a log.
                name.Append(char.IsControl(word[end]) ? '?' : word[end]);
            }

            start = end + 1;
        }
    }

    // One slash is in many names (hub and method, queue and action); a route or a file begins with one or has more.
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
