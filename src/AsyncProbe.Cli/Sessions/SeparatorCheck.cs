using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Finds lines of dashes that only look like separators, and separators that swallow each other.</summary>
internal static partial class SeparatorCheck
{
    public static void Run(ReadOnlySpan<char> text, LineIndex lines, SessionDiagnostics diagnostics)
    {
        var separators = new HashSet<int>();
        foreach (var match in SessionReader.Separator().EnumerateMatches(text))
        {
            separators.Add(lines.LineAt(match.Index + match.Length - 1));
        }

        foreach (var dashes in DashLine().EnumerateMatches(text))
        {
            var line = lines.LineAt(dashes.Index);
            if (separators.Contains(line))
            {
                continue;
            }

            if (diagnostics.IsFull)
            {
                diagnostics.LeaveOut();
            }
            else
            {
                var isAtEnd = dashes.Index + dashes.Length >= text.Length;
                diagnostics.Add(new(Severity.Warning, line, Why(text.Slice(dashes.Index, dashes.Length), line, isAtEnd, separators)));
            }
        }
    }

    private static string Why(ReadOnlySpan<char> dashes, int line, bool isAtEnd, HashSet<int> separators)
    {
        var count = dashes.TrimEnd("\r \t").Length;
        if (count < dashes.TrimEnd('\r').Length)
        {
            return "These dashes are followed by blanks and so do not separate requests; remove the blanks.";
        }

        if (separators.Contains(line - 1))
        {
            return "Two lines of dashes stand directly under each other; only the first separates, and this one becomes a request line. "
                + "Put an empty line between them.";
        }

        return line == 1 || isAtEnd
            ? "A separator needs a line break before and after it; this one is part of the request. Begin the file with a request and end "
                + "it with a line break."
            : $"{count} dashes do not separate requests: 5 to 100 do; 66 is the custom.";
    }

    [GeneratedRegex("^-{3,}[ \\t]*\\r?$", RegexOptions.Multiline | RegexOptions.CultureInvariant)]
    private static partial Regex DashLine();
}
