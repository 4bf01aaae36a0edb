using System.Buffers;
using System.Text;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Views;

/// <summary>Escapes text for Markdown, so that it can't create emphasis, HTML, links, images or mentions.</summary>
internal static class MarkdownText
{
    private static readonly SearchValues<char> s_marks = SearchValues.Create(@"\`*_[]~|#!");

    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length + 8);
        foreach (var c in SafeText.From(text))
        {
            _ = c switch
            {
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '&' => escaped.Append("&amp;"),
                '@' => escaped.Append("&#64;"),
                _ when s_marks.Contains(c) => escaped.Append('\\').Append(c),
                _ => escaped.Append(c),
            };
        }

        // Markdown renderers turn plain addresses into links.
        return escaped.Replace("://", ":\\/\\/").Replace("www.", "www\\.").ToString();
    }
}
