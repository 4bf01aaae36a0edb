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

    /// <summary>Separates the user information from a URL, because no client sends it as part of the URL.</summary>
    public static (string Url, string? User) TakeUser(string url)
    {
        var start = url.IndexOf("://", StringComparison.Ordinal) + 3;
        var end = start < 3 ? -1 : url.IndexOfAny(['/', '?', '#'], start);
        var at = start < 3 ? -1 : url[..(end < 0 ? url.Length : end)].LastIndexOf('@');
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
