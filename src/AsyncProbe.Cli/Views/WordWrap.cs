namespace AsyncProbe.Cli.Views;

/// <summary>Breaks long lines between words: a terminal breaks them inside a word.</summary>
internal static class WordWrap
{
    /// <param name="text">The text, which may have several lines.</param>
    /// <param name="width">The terminal's width in columns; 0 or less if it is not known.</param>
    /// <param name="indent">How far the rest of a broken line is indented.</param>
    public static string Apply(string text, int width, int indent = 0) =>
        width <= 0 || text.Length <= width ? text : string.Join('\n', text.Split('\n').Select(line => Line(line, width, indent)));

    private static string Line(string line, int width, int indent)
    {
        var begin = new string(' ', indent);
        var rest = line.AsSpan();
        List<string> parts = [];
        while (rest.Length > width && Break(rest, width) is var end and > 0)
        {
            parts.Add(rest[..end].TrimEnd(' ').ToString());
            rest = begin + rest[end..].TrimStart(' ').ToString();
        }

        parts.Add(rest.ToString());
        return string.Join('\n', parts);
    }

    /// <summary>The last space that fits; after a word that is longer than the line, the first space. 0 if there is none.</summary>
    private static int Break(ReadOnlySpan<char> line, int width)
    {
        var indent = line.Length - line.TrimStart(' ').Length;
        var fits = line[..(width + 1)].LastIndexOf(' ');
        if (fits > indent)
        {
            return fits;
        }

        var next = line[indent..].IndexOf(' ');
        return next < 0 ? 0 : indent + next;
    }
}
