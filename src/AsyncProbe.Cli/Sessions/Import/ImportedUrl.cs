using System.Text;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Converts another tool's URL to one that a session file can contain.</summary>
internal static class ImportedUrl
{
    /// <summary>Encodes characters that aren't allowed in a URL; keeps <c>{{variables}}</c> and what is already encoded.</summary>
    public static string Clean(string url)
    {
        var clean = new StringBuilder(url.Length);
        var query = false;
        foreach (var c in Fragmentless(url))
        {
            query |= c == '?';
            if (c is <= ' ' or '"' or '<' or '>' or '\u007F' || (query && c == '\''))
            {
                clean.Append('%').Append(((int)c).ToString("X2", System.Globalization.CultureInfo.InvariantCulture));
            }
            else
            {
                clean.Append(c);
            }
        }

        return clean.ToString();
    }

    /// <summary>The length of <c>https://</c>; 0 without a scheme. A URL may contain another one, in its path or its query.</summary>
    public static int SchemeLength(string url)
    {
        var end = url.IndexOf("://", StringComparison.Ordinal);
        return end >= 0 && url.IndexOfAny(['/', '?', '#']) > end ? end + 3 : 0;
    }

    /// <summary>Separates the user information from a URL, because no client sends it as part of the URL.</summary>
    public static (string Url, string? User) TakeUser(string url)
    {
        var start = SchemeLength(url);
        var end = start == 0 ? -1 : url.IndexOfAny(['/', '?', '#'], start);
        var at = start == 0 ? -1 : url[..(end < 0 ? url.Length : end)].LastIndexOf('@');
        return at > start ? (url[..start] + url[(at + 1)..], Uri.UnescapeDataString(url[start..at])) : (url, null);
    }

    /// <summary>The header value for <c>user:password</c>.</summary>
    public static string Basic(string user) => user.Contains("{{", StringComparison.Ordinal)
        ? "Basic {{basic_credentials}}"
        : "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(user.Contains(':', StringComparison.Ordinal) ? user : user + ":"));

    private static string Fragmentless(string url)
    {
        var hash = url.IndexOf('#', StringComparison.Ordinal);
        return (hash < 0 ? url : url[..hash]).Trim();
    }
}
