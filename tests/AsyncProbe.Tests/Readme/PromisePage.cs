using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Readme;

/// <summary>
/// Reads a page of promises. Each table row and each list item is a promise, and its anchor is the promise's id. Paragraphs only
/// introduce them.
/// </summary>
internal static partial class PromisePage
{
    public sealed record Block(string Section, bool IsPromise, string Text)
    {
        public IReadOnlyList<string> Ids { get; } = [.. Anchor().Matches(Text).Select(match => match.Groups[1].Value)];

        public int Sentences => SentenceEnd().Count(Text) + 1;
    }

    public static IEnumerable<Block> Read(string markdown)
    {
        var section = "";
        Block? open = null;
        foreach (var line in TableHead().Replace(markdown.ReplaceLineEndings("\n"), "\n").Split('\n').Select(line => line.Trim()).Append(""))
        {
            var isPromise = line.StartsWith("| ", StringComparison.Ordinal) || line.StartsWith("- ", StringComparison.Ordinal);
            if (open is not null && line.Length > 0 && line[0] != '#' && !isPromise)
            {
                open = open with { Text = $"{open.Text} {line}" };
                continue;
            }

            if (open is not null)
            {
                yield return new Block(open.Section, open.IsPromise, open.Text);
            }

            section = line.StartsWith('#') ? line.TrimStart('#', ' ') : section;
            open = line.Length > 0 && line[0] != '#' ? new Block(section, isPromise, line) : null;
        }
    }

    [GeneratedRegex("""<a id="([a-z0-9-]+)"></a>""")]
    private static partial Regex Anchor();

    [GeneratedRegex(@"(?<=[.!?]\**)\s+(?=[^\s|])")]
    private static partial Regex SentenceEnd();

    [GeneratedRegex(@"\n\|.*\n\|[-:| ]+\|\n")]
    private static partial Regex TableHead();
}
