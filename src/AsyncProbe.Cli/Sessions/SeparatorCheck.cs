using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Finds lines of dashes that look like separators and are none, and separators that swallow each other.</summary>
internal static partial class SeparatorCheck
{
    public static void Run(string text, LineIndex lines, List<SessionDiagnostic> diagnostics)
    {
        var separators = SessionReader.Separator().Matches(text).Select(match => lines.LineAt(match.Index + match.Length - 1)).ToHashSet();
        foreach (Match dashes in DashLine().Matches(text))
        {
            var line = lines.LineAt(dashes.Index);
            if (!separators.Contains(line))
            {
                diagnostics.Add(new(Severity.Warning, line, Why(dashes, line, text.Length, separators)));
            }
        }
    }

    private static string Why(Match dashes, int line, int length, HashSet<int> separators)
    {
        if (dashes.Groups["blanks"].Length > 0)
        {
            return "These dashes are followed by blanks and so do not separate requests; remove the blanks.";
        }

        if (separators.Contains(line - 1))
        {
            return "Two lines of dashes stand directly under each other; only the first separates, and this one becomes a request line. "
                + "Put an empty line between them.";
        }

        return line == 1 || dashes.Index + dashes.Length >= length
            ? "A separator needs a line break before and after it; this one is part of the request. Begin the file with a request and end "
                + "it with a line break."
            : $"{dashes.Groups["dashes"].Length} dashes do not separate requests: 5 to 100 do; 66 is the custom.";
    }

    [GeneratedRegex("^(?<dashes>-{3,})(?<blanks>[ \\t]*)\\r?$", RegexOptions.Multiline | RegexOptions.CultureInvariant)]
    private static partial Regex DashLine();
}
