using System.Text;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Makes a URL of another tool one that a session file can hold.</summary>
internal static class ImportedUrl
{
    /// <summary>Encodes what no URL may hold; what is encoded already and <c>{{variables}}</c> stay.</summary>
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

    private static string Fragmentless(string url)
    {
        var hash = url.IndexOf('#', StringComparison.Ordinal);
        return (hash < 0 ? url : url[..hash]).Trim();
    }
}
