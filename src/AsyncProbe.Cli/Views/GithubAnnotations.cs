using System.Globalization;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sites;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes findings as workflow commands, which GitHub shows at the lines of a pull request.</summary>
internal static class GithubAnnotations
{
    /// <summary>With a baseline, findings that aren't new become notices, because a step shows at most ten warnings.</summary>
    public static IEnumerable<string> Create(IReadOnlyList<Finding> findings) => findings.Select(Create);

    private static string Create(Finding finding)
    {
        var level = finding.IsNew == false ? "notice" : "warning";
        var line = finding.Line.ToString(CultureInfo.InvariantCulture);
        return $"::{level} file={Property(finding.Path)},line={line},title={Property(Title(finding))}::{Data(finding.Sentence)}";
    }

    private static string Title(Finding finding) =>
        $"{(finding.IsNew == true ? "New: " : "")}{finding.Site.Method} blocks ({finding.Rule.Kind})";

    private static string Data(string text) => SafeText.From(text)
        .Replace("%", "%25", StringComparison.Ordinal)
        .Replace("\r", "%0D", StringComparison.Ordinal)
        .Replace("\n", "%0A", StringComparison.Ordinal);

    /// <summary>Commas separate properties, and colons end them.</summary>
    private static string Property(string text) =>
        Data(text).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);
}
